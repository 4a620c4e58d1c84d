import { TrustedHtml } from "~/ui/prose/trusted-html";
import type { BlockProps } from "../registry";

export default function MarkdownText({ block }: BlockProps<"MarkdownText">) {
  return (
    <section className="wrap half py-8 in-[.nested]:py-0 md:py-12">
      <TrustedHtml html={block.html} className="prose mx-auto text-lg text-ink/85" />
    </section>
  );
}
