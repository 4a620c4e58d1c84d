import { StepUp } from "~/features/step-up/step-up";
import { SubscriptionPage } from "~/features/subscription/subscription-page";
import type { BlockProps } from "../registry";

export default function MemberAccount({ block }: BlockProps<"MemberAccount">) {
  return (
    <>
      <StepUp />
      <SubscriptionPage {...block} />
    </>
  );
}
