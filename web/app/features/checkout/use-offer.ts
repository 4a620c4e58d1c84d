import { type Dispatch, useEffect, useRef } from "react";
import { loadCampaign } from "~/features/payment/offer/api";
import type { Campaign } from "~/features/payment/offer/offer";
import { productFields } from "~/features/payment/offer/product";
import { track } from "~/lib/analytics";
import { offerLanguage, visitorCountry } from "~/lib/country";
import type { Locale } from "~/lib/locale";
import { counselingWelcome } from "~/lib/session/counseling";
import { fetchAnsweredSession } from "~/lib/session/session";
import { claimSurveyOrder } from "~/lib/survey/survey-order";
import { intentKind } from "./pay/intent-kind";
import { persistedApproval } from "./paypal/persisted-approval";
import type { CheckoutEvent, CheckoutState } from "./state";
import type { CheckoutTerms } from "./terms";
import { yookassaPlatronOffer } from "./yookassa-platron/yookassa-platron";

interface OfferSource {
  state: CheckoutState;
  terms: CheckoutTerms;
  locale: Locale;
}

/** Loads the offer whenever the state is `loading`, and reports the first one as added to the cart. */
export function useOffer({ state, terms, locale }: OfferSource, dispatch: Dispatch<CheckoutEvent>): void {
  const wasReported = useRef(false);

  useEffect(() => {
    if (state.step !== "loading") return;
    let isCurrent = true;
    void loadOffer(terms, locale).then((event) => {
      if (!isCurrent) return;
      if ("campaign" in event && event.type !== "approvalRestored" && !wasReported.current) {
        wasReported.current = true;
        track("add_to_cart", productFields(terms, event.campaign));
      }
      dispatch(event);
    });
    return () => {
      isCurrent = false;
    };
  }, [state.step, terms, locale, dispatch]);
}

async function loadOffer(terms: CheckoutTerms, locale: Locale): Promise<CheckoutEvent> {
  const [session, country] = await Promise.all([fetchAnsweredSession(), visitorCountry()]);
  if (session.state === "member") void claimSurveyOrder(session.user);
  const mayLeave = terms.mayRedirect && session.state === "member";
  const memberHome = mayLeave && counselingWelcome(session.user, locale);
  if (memberHome) return { type: "therapyMemberDetected", memberHome };
  const approval = session.state === "member" && persistedApproval(terms.campaign, session.user.user_id);
  if (approval) return { type: "approvalRestored", campaign: approval.campaign, approval: approval.approval };
  const answer = await loadCampaign({
    campaign: terms.campaign,
    couponCode: terms.couponCode,
    language: offerLanguage(locale),
    country,
    userId: session.state === "member" ? session.user.user_id : "",
  });
  if (!answer.ok) return { type: "campaignFailed", code: answer.problem.code };
  const { status, data, code, message } = answer.value;
  if (status) return offerEvent(data, { country, locale, transactionType: terms.product.transactionType });
  if (code === "V100") return { type: "signInRequired", message: message ?? "" };
  return { type: "campaignFailed", code: code ?? "" };
}

interface OfferContext {
  country: string;
  locale: Locale;
  transactionType: string;
}

/** The payment form follows from the offer, the country and the page. */
function offerEvent(campaign: Campaign, { country, ...page }: OfferContext): CheckoutEvent {
  const offer = yookassaPlatronOffer(campaign, country);
  if (offer) return { type: "providerChoiceLoaded", campaign, offer };
  return { type: intentKind(campaign, page) ? "intentOfferLoaded" : "campaignLoaded", campaign };
}
