import { LotusMark } from "~/ui/art/lotus";
import { ContentButton } from "~/ui/button/content-button";
import { ContactLine } from "~/ui/contact-line/contact-line";
import type { BlockProps } from "../registry";

export default function B2bDashboard({ block }: BlockProps<"B2bDashboard">) {
  return (
    <section className="wrap py-10 md:py-16">
      <header className="max-w-text">
        <h1 className="display text-3xl">{block.title}</h1>
        {block.description && <p className="mt-4 text-lg text-muted">{block.description}</p>}
      </header>
      <div className="mt-10 grid items-center gap-8 rounded-card bg-card p-6 shadow-raised md:p-10 lg:grid-cols-2">
        <div className="text-center">
          <LotusMark className="mx-auto h-12 w-auto text-action" />
          {block.body && <p className="mt-5 text-balance text-muted">{block.body}</p>}
          {block.action && <ContentButton button={block.action} className="mt-6" />}
        </div>
        <ContactLine email={block.contactEmail} subject={block.title} />
      </div>
    </section>
  );
}
