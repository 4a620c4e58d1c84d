import { useEffect, useMemo, useState } from "react";
import { useLocation } from "react-router";
import type { CardHolder } from "~/lib/card";
import { localeOf } from "~/lib/locale";
import { useSession } from "~/lib/session";
import { stripeFor } from "~/lib/stripe";
import { SendToSignUp, Unavailable } from "../no-offer";
import { viewOrder } from "../order-view";
import { ProviderGate } from "../provider-gate";
import { FormSkeleton, SummarySkeleton } from "../skeletons";
import { OrderSummary } from "../summary";
import { OneTimeForm } from "./one-time-form";
import { offerOf } from "./state";
import type { OneTimeConsents, OneTimeTerms } from "./terms";
import { useOneTime } from "./use-one-time";

export interface OneTimeCheckoutProps {
  title: string;
  terms: OneTimeTerms;
  consents: OneTimeConsents;
  priceLabel: string | null;
  submitLabel: string | null;
  infoHtml: string | null;
}

export function OneTimeCheckout({ title, terms, consents, priceLabel, submitLabel, infoHtml }: OneTimeCheckoutProps) {
  const session = useSession();
  const [typed, setTyped] = useState<CardHolder | null>(null);
  const known = session.state === "member" ? { name: session.user.fullName, email: session.user.email } : NOBODY;
  const buyer = typed ?? known;
  const checkout = useOneTime(terms, buyer);
  const { state } = checkout;
  const locale = localeOf(useLocation().pathname);
  const campaign = offerOf(state)?.campaign ?? null;
  const order = useMemo(() => campaign && viewOrder(campaign, locale, new Date()), [campaign, locale]);

  // The script is on its way while the offer is still being asked for.
  useEffect(() => {
    void stripeFor(terms.stripe, locale).catch(() => undefined);
  }, [terms.stripe, locale]);

  if (state.step === "visitor") return <SendToSignUp message={state.message} stay={!terms.mayRedirect} />;
  if (state.step === "unavailable") return <Unavailable code={state.code} onRetry={checkout.retry} />;
  const skeleton = <FormSkeleton asksWho={terms.kind === "program"} />;
  // A price that has ended is not shown, while its form stays.
  const isShown = order && state.step !== "loading";
  return (
    <div className="checkout-columns">
      <aside>
        {isShown ? <OrderSummary order={order} title={priceLabel ?? title} infoHtml={infoHtml} /> : <SummarySkeleton />}
      </aside>
      <div>
        {order ? (
          <ProviderGate settings={terms.stripe} meanwhile={skeleton}>
            <OneTimeForm
              checkout={checkout}
              kind={terms.kind}
              order={order}
              consents={consents}
              submitLabel={submitLabel}
              buyer={buyer}
              onBuyer={setTyped}
            />
          </ProviderGate>
        ) : (
          skeleton
        )}
      </div>
    </div>
  );
}

const NOBODY: CardHolder = { name: "", email: "" };
