import { TrustedHtml } from "~/ui/prose/trusted-html";
import type { BlockProps } from "../registry";

export default function RulesPage({ block }: BlockProps<"RulesPage">) {
  return (
    <section className="wrap py-10 md:py-16">
      <div className="mx-auto max-w-text">
        {block.heading && <h1 className="display mb-8 text-3xl">{block.heading}</h1>}
        <TrustedHtml html={block.contentHtml} className="prose text-muted" />
      </div>
    </section>
  );
}
