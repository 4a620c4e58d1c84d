import { TrustedHtml } from "~/ui/prose/trusted-html";
import type { BlockProps } from "../registry";

export default function MarkdownText({ block }: BlockProps<"MarkdownText">) {
  return (
    <section className="wrap py-8 md:py-12">
      <TrustedHtml html={block.html} className="prose mx-auto text-lg text-muted" />
    </section>
  );
}
