import type { BlockProps } from "../registry";
import { GiftPreview } from "./gift-preview";

export default function GiftCardBuilder({ block }: BlockProps<"GiftCardBuilder">) {
  return (
    <section className="wrap py-10 md:py-16">
      <GiftPreview texts={block.builder} contactEmail={block.contactEmail} heading="h1" />
    </section>
  );
}
