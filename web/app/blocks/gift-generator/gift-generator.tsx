import { Picture } from "~/ui/picture/picture";
import { GiftPreview } from "../gift-card-builder/gift-preview";
import type { BlockProps } from "../registry";

export default function GiftGenerator({ block }: BlockProps<"GiftGenerator">) {
  return (
    <section className="wrap py-10 md:py-16">
      <header className="mx-auto mb-12 max-w-text text-center md:mb-20">
        <h1 className="display text-display">{block.title}</h1>
        {block.body && <p className="mt-5 text-lg text-balance text-muted">{block.body}</p>}
        {block.image && (
          <Picture image={block.image} eager className="mt-10 aspect-[2/1] w-full rounded-card object-cover" />
        )}
      </header>
      <GiftPreview texts={block.builder} contactEmail={block.contactEmail} heading="h2" />
    </section>
  );
}
