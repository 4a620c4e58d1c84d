import { ProfilePage } from "~/features/profile/profile-page";
import { StepUp } from "~/features/step-up/step-up";
import { OfferCard } from "~/ui/offer-card/offer-card";
import type { BlockProps } from "../registry";

export default function UserProfileUpdate({ block }: BlockProps<"UserProfileUpdate">) {
  return (
    <>
      <StepUp />
      <ProfilePage {...block} seed={block.id} heading={block.isAccount ? "h1" : "h2"}>
        {block.specialOffer && (
          <div className="pt-4">
            <OfferCard {...block.specialOffer} />
          </div>
        )}
      </ProfilePage>
    </>
  );
}
