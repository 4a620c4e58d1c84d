import { useEffect } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/subscription";
import type { StripeSettings } from "~/lib/payment/stripe";
import { fetchSession, useSession } from "~/lib/session/session";
import type { ButtonContent } from "~/ui/button/content-button";
import { SignInPrompt } from "~/ui/sign-in-prompt/sign-in-prompt";
import { OwnSubscriptions } from "./own-subscriptions";
import { Skeleton } from "./skeleton";

export interface SubscriptionPageProps {
  title: string;
  description: string | null;
  /** For members without a subscription. */
  empty: { title: string; text: string; button: ButtonContent };
  /** Lines of the seller on receipts. */
  seller: string | null;
  stripe: StripeSettings;
}

/** The same for everyone until the session is known. */
export function SubscriptionPage({ title, description, empty, seller, stripe }: SubscriptionPageProps) {
  const t = useTexts();
  const session = useSession();
  useEffect(() => void fetchSession(), []);
  const isMember = session.state === "member";
  return (
    <section className="wrap wrap-narrow py-8 md:py-12">
      <header className="mb-8 max-w-text">
        <h1 className="display text-3xl">{title}</h1>
        {description && <p className="mt-3 text-muted">{description}</p>}
      </header>
      {session.state === "unknown" && <Skeleton className="visitor:hidden" />}
      {!isMember && (
        <SignInPrompt
          text={t("subscription.signInFirst")}
          label={t("subscription.signIn")}
          className="max-w-form member:hidden"
        />
      )}
      {isMember && <OwnSubscriptions user={session.user} empty={empty} seller={seller} stripe={stripe} />}
    </section>
  );
}
