import { ContactLine } from "~/ui/contact-line/contact-line";
import type { BlockProps } from "../registry";

export default function ExtraSession({ block }: BlockProps<"ExtraSession">) {
  return (
    <section className="wrap py-8 md:py-12">
      <div className="mx-auto grid max-w-content items-center gap-6 rounded-card bg-card p-6 shadow-rest md:p-10 lg:grid-cols-2">
        <div>
          <h2 className="display text-2xl">{block.title}</h2>
          {block.body && <p className="mt-3 text-muted">{block.body}</p>}
        </div>
        <ContactLine email={block.contactEmail} subject={block.title} />
      </div>
    </section>
  );
}
