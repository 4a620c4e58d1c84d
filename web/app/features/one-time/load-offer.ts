import { FIXED_IP, loadCampaign } from "~/features/payment/offer/api";
import { offerLanguage, visitorCountry } from "~/lib/country";
import type { Locale } from "~/lib/locale";
import type { CardHolder } from "~/lib/payment/card";
import { fetchAnsweredSession, type Session } from "~/lib/session/session";
import { claimSurveyOrder } from "~/lib/survey/survey-order";
import { storedTracking } from "~/lib/tracking";
import { fetchSavedCard, type IntentFields, type IntentPurpose, loadLandingCampaign } from "./api";
import type { Offer, OneTimeEvent } from "./state";
import type { OneTimeTerms } from "./terms";

/** Calls before a payment: the offer, and the fields that create its intent. */

const THERAPY_ADDITION = "therapy_addition";

export async function loadOffer(terms: OneTimeTerms, locale: Locale, buyer: CardHolder): Promise<OneTimeEvent> {
  const [session, country] = await Promise.all([fetchAnsweredSession(), visitorCountry()]);
  if (session.state === "member") void claimSurveyOrder(session.user);
  const language = offerLanguage(locale);
  const isForGuests = terms.kind === "program";
  const [answer, last4] = await Promise.all([
    isForGuests ? guestPrice(terms, { language, country }, buyer) : memberPrice(terms, { language, country }, session),
    isForGuests || session.state !== "member" ? null : fetchSavedCard(filterOf(terms), language, country),
  ]);
  if (!answer.ok) return { type: "offerFailed", code: answer.problem.code };
  const { status, data, code, message } = answer.value;
  if (status) return { type: "offerLoaded", offer: { campaign: data, last4 } };
  if (code === "V100") return { type: "signInRequired", message: message ?? "" };
  return { type: "offerFailed", code: code ?? "" };
}

interface OfferLocation {
  language: string;
  country: string;
}

function guestPrice({ campaign, couponCode }: OneTimeTerms, location: OfferLocation, { name, email }: CardHolder) {
  return loadLandingCampaign({
    campaign,
    coupon_code: couponCode ?? "",
    ...location,
    ip: FIXED_IP,
    ...(name ? { customer_name: name } : {}),
    ...(email ? { customer_email: email } : {}),
  });
}

function memberPrice({ campaign, couponCode }: OneTimeTerms, location: OfferLocation, session: Session) {
  const userId = session.state === "member" ? session.user.user_id : "";
  return loadCampaign({ campaign, couponCode, ...location, userId });
}

function filterOf({ kind }: OneTimeTerms): string {
  return kind === "therapy" ? THERAPY_ADDITION : "";
}

/** Fields of the call that creates an intent. They are made once per attempt, so a resend is identical. */
export async function intentFields(
  purpose: IntentPurpose,
  { campaign }: Offer,
  terms: OneTimeTerms,
  locale: Locale,
): Promise<IntentFields> {
  const country = await visitorCountry();
  const language = offerLanguage(locale);
  const source = filterOf(terms) || terms.product.productName || terms.campaign;
  const common = { price_id: campaign.price_id, source, country, ...(storedTracking() as IntentFields) };
  if (purpose === "savedCard") return { ...common, lang: language };
  const priced = { ...common, language, coupon_code: terms.couponCode ?? "", quote: campaign.quote ?? "" };
  if (purpose === "guest") return priced;
  const session = await fetchAnsweredSession();
  return { ...priced, user_id: session.state === "member" ? session.user.user_id : "" };
}
