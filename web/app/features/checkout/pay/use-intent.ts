import { type Dispatch, type RefObject, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { isOfferEnded } from "~/features/payment/offer/offer";
import { offerLanguage, visitorCountry } from "~/lib/country";
import { localeOf } from "~/lib/locale";
import { currentUser } from "~/lib/session/session";
import { storedTracking } from "~/lib/tracking";
import { createIntent, type Intent } from "../api";
import type { CheckoutEvent, CheckoutState } from "../state";
import type { CheckoutTerms } from "../terms";
import { type IntentKind, intentKind } from "./intent-kind";

/**
 * Creates the intent of a trial or lifetime payment before the card is typed, and holds its secret. Null: none is
 * needed, or not yet.
 */
export function useIntent(
  state: CheckoutState,
  terms: CheckoutTerms,
  dispatch: Dispatch<CheckoutEvent>,
): RefObject<Intent | null> {
  const intent = useRef<Intent | null>(null);
  const locale = localeOf(useLocation().pathname);

  useEffect(() => {
    if (state.step === "loading") intent.current = null;
    if (state.step !== "creatingIntent") return;
    const { campaign } = state;
    const kind = intentKind(campaign, { transactionType: terms.product.transactionType, locale });
    let isCurrent = true;
    void create(kind ?? "lifetime").then((created) => {
      if (!isCurrent) return;
      if ("secret" in created) intent.current = created;
      dispatch("secret" in created ? { type: "intentCreated" } : created);
    });
    return () => {
      isCurrent = false;
    };

    async function create(kind: IntentKind): Promise<Intent | CheckoutEvent> {
      const answer = await createIntent({
        kind,
        campaign,
        couponCode: terms.couponCode,
        country: await visitorCountry(),
        language: offerLanguage(locale),
        userId: currentUser()?.user_id ?? "",
        tracking: storedTracking(),
      });
      if (!answer.ok) return { type: "intentFailed", fault: null };
      const { status, data, code, message } = answer.value;
      if (!status) return refusalEvent(code ?? "", message);
      const { clientSecret, paymentIntentId } = data;
      if (!paymentIntentId) return { type: "intentFailed", fault: null };
      return clientSecret
        ? { id: paymentIntentId, secret: clientSecret }
        : { type: "intentUnconfirmed", intentId: paymentIntentId };
    }
  }, [state, terms, locale, dispatch]);

  return intent;
}

function refusalEvent(code: string, message: string | null): CheckoutEvent {
  if (isOfferEnded(code)) return { type: "offerEnded", fault: { code: "QUOTE_EXPIRED", message: null } };
  return { type: "intentFailed", fault: { code, message } };
}
