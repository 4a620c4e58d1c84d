import { Icon } from "~/ui/icon/icon";
import { TrustedHtml } from "~/ui/prose/trusted-html";
import { SectionHeader } from "~/ui/section-header/section-header";
import type { BlockProps } from "../registry";

export default function Accordion({ block }: BlockProps<"Accordion">) {
  return (
    <section className="wrap section">
      <SectionHeader title={block.heading} />
      <div className="mx-auto max-w-text divide-y divide-hairline border-y border-hairline">
        {block.items.map((item) => (
          <details key={item.question} className="group">
            <summary className="flex min-h-16 list-none items-center justify-between gap-6 rounded-field py-4 text-start font-bold text-balance transition duration-200 hover:text-action">
              {item.question}
              <Icon name="chevron-down" className="text-muted transition duration-200 group-open:rotate-180" />
            </summary>
            <TrustedHtml html={item.answerHtml} className="prose animate-enter pb-6 pe-8 text-muted" />
          </details>
        ))}
      </div>
    </section>
  );
}
