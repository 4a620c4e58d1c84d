import { ContactLine } from "~/ui/contact-line/contact-line";
import { OfferCard } from "~/ui/offer-card/offer-card";
import { SplitPage } from "~/ui/split-page/split-page";
import type { BlockProps } from "../registry";

export default function UserProfileUpdate({ block }: BlockProps<"UserProfileUpdate">) {
  return (
    <SplitPage title={block.title} description={block.description} seed={block.id} heading={block.headingTag}>
      <ContactLine email={block.contactEmail} subject={block.title} />
      {block.specialOffer && (
        <div className="pt-4">
          <OfferCard {...block.specialOffer} />
        </div>
      )}
    </SplitPage>
  );
}
