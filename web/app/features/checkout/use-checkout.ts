import { useEffect, useEffectEvent, useReducer, useRef } from "react";
import { useLocation } from "react-router";
import { afterPayment, keptWay } from "~/features/payment/navigation/destination";
import { useGoing } from "~/features/payment/navigation/use-post-payment-navigation";
import { loadCampaign } from "~/features/payment/offer/api";
import type { Campaign } from "~/features/payment/offer/offer";
import { isCoaching, productFields } from "~/features/payment/offer/product";
import { pause } from "~/features/payment/pay/pause";
import type { Phase } from "~/features/payment/pay/phase";
import { track } from "~/lib/analytics";
import { askUntil } from "~/lib/ask-until";
import { counselingWelcome } from "~/lib/counseling";
import { offerLanguage, visitorCountry } from "~/lib/country";
import { type Locale, localeOf } from "~/lib/locale";
import { rememberPayment } from "~/lib/open-payment";
import { uuid } from "~/lib/random";
import { askSession, currentUser } from "~/lib/session";
import { claimSurveyOrder, createSurveyPlaylist, settleSurveyOrder } from "~/lib/survey-order";
import { storedTracking } from "~/lib/tracking";
import { confirmIntent, confirmSubscription, createSubscription } from "./api";
import type { CardPorts } from "./pay/card-ports";
import { directWay } from "./pay/intent-kind";
import { conclusionOf } from "./pay/outcome";
import { type Attempt, awaitBank, type Outcome, type PayPorts, pay } from "./pay/pay";
import { type DirectOutcome, payDirect } from "./pay/pay-intent";
import { questionOf } from "./pay/pending-payment";
import { useIntent } from "./pay/use-intent";
import { type ApprovalOutcome, settleApproval } from "./paypal/approval";
import { approvalPorts } from "./paypal/approval-ports";
import { keepApproval, keptApproval } from "./paypal/persisted-approval";
import { type CheckoutEvent, type CheckoutState, campaignOf, INITIAL, reduce } from "./state";
import type { CheckoutTerms } from "./terms";
import { russianPages } from "./yookassa-platron/yookassa-platron";

type AnyOutcome = Outcome | DirectOutcome | ApprovalOutcome;

export interface Checkout {
  state: CheckoutState;
  retry: () => void;
  submit: (card: CardPorts) => void;
  recheck: () => void;
  /** The form of a Russian provider, and what became of it. */
  tellWidget: (event: WidgetEvent) => void;
  /** The buyer goes to a page of a provider's, and comes back elsewhere. */
  leave: () => void;
  /** The window of a wallet or of PayPal's opens; somebody goes away from it; it cannot go on. */
  askApproval: () => void;
  leaveApproval: () => void;
  failApproval: (code: "WALLET_FAILED" | "PAYPAL_FAILED") => void;
  /** Somebody agreed to a subscription at PayPal. */
  approve: (approval: string) => void;
  /** The card is another one now: what was sent before must not be sent again. */
  cardChanged: () => void;
}

export type WidgetEvent = Extract<CheckoutEvent, { type: `widget${string}` }>;

export function useCheckout(terms: CheckoutTerms): Checkout {
  const go = useGoing();
  const { pathname, search } = useLocation();
  const locale = localeOf(pathname);
  const [state, dispatch] = useReducer(reduce, INITIAL);
  const open = useRef<Attempt | null>(null);
  const busy = useRef(false);
  /** An offer that is asked for again is put into the cart once. */
  const wasShown = useRef(false);
  const intent = useIntent(state, terms, dispatch);

  useEffect(() => {
    if (state.step !== "loading") return;
    let wanted = true;
    void load(terms, locale).then((event) => {
      if (!wanted) return;
      if ("campaign" in event && event.type !== "approvalFound" && !wasShown.current) {
        wasShown.current = true;
        track("add_to_cart", productFields(terms, event.campaign));
      }
      dispatch(event);
    });
    return () => {
      wanted = false;
    };
  }, [state.step, terms, locale]);

  const destination = () => afterPayment({ locale, path: pathname, query: new URLSearchParams(search), ...terms });

  const succeed = async () => {
    const campaign = campaignOf(state);
    if (campaign) track("purchase", productFields(terms, campaign));
    if (terms.leanplum) track("leanplum", terms.leanplum);
    if (campaign && isCoaching(terms, campaign)) await settleSurveyOrder("follow-up", currentUser());
    await createSurveyPlaylist();
    await go(destination());
  };

  const conclude = (outcome: AnyOutcome) => {
    open.current = outcome.kind === "unknown" ? outcome.attempt : null;
    dispatch(conclusionOf(outcome));
    if (outcome.kind === "settled") void succeed();
  };

  // An answer that nobody waits for in person comes by itself.
  const hear = useEffectEvent(conclude);
  useEffect(() => {
    const ask = questionOf(state);
    if (!ask) return;
    const stop = new AbortController();
    void askUntil(ask, stop.signal).then((heard) => heard && hear(heard));
    return () => stop.abort();
  }, [state]);

  const run = async (start: CheckoutEvent, work: () => Promise<AnyOutcome>) => {
    if (busy.current) return;
    busy.current = true;
    dispatch(start);
    conclude(await work());
    busy.current = false;
  };

  const bank = { confirmSubscription, pause, advance: (phase: Phase) => dispatch({ type: "advanced", phase }) };
  const ports = (card: CardPorts): PayPorts => ({
    ...card,
    ...bank,
    newKey: uuid,
    createSubscription: async (attempt) => {
      const campaign = campaignOf(state);
      if (!campaign) throw new Error("A payment was sent before its offer was known");
      const { key, ...card } = attempt;
      const request = { campaign, couponCode: terms.couponCode, ...card };
      const country = await visitorCountry();
      const visit = { country, language: offerLanguage(locale), tracking: storedTracking() };
      return createSubscription({ ...request, ...visit }, key);
    },
  });

  return {
    state,
    retry: () => dispatch({ type: "retried" }),
    submit: (card) => {
      if (busy.current) return card.concluded?.(false);
      const { current } = intent;
      // What a wallet brings is agreed to anew: nothing that was sent before goes out in its place.
      if (card.source !== "stripe") open.current = null;
      const direct = current && { ...card, advance: bank.advance, confirmIntent };
      void run({ type: "submitted" }, async () => {
        const outcome = await (direct ? payDirect(direct, current) : pay(ports(card), open.current));
        card.concluded?.(outcome.kind !== "refused" && outcome.kind !== "unknown");
        return outcome;
      });
    },
    askApproval: () => dispatch({ type: "approvalAsked" }),
    leaveApproval: () => dispatch({ type: "approvalLeft" }),
    failApproval: (code) => dispatch({ type: "approvalFailed", fault: { code, message: null } }),
    approve: (approval) => {
      const campaign = campaignOf(state);
      const userId = currentUser()?.user_id;
      if (campaign && userId) keepApproval(terms.campaign, { approval, userId, campaign });
      void run({ type: "submitted" }, () => settleApproval({ ...approvalPorts, ...bank }, approval));
    },
    tellWidget: dispatch,
    leave: () => {
      const campaign = campaignOf(state);
      if (!campaign) return;
      const { campaign: code, couponCode } = terms;
      const way = keptWay(destination(), locale);
      rememberPayment({ campaign: code, couponCode, ...way, isCoaching: isCoaching(terms, campaign) });
    },
    recheck: () => {
      if (state.step !== "pending") return;
      const { subscriptionId } = state;
      void run({ type: "rechecked" }, () => awaitBank(bank, subscriptionId));
    },
    cardChanged: () => {
      open.current = null;
    },
  };
}

async function load(terms: CheckoutTerms, locale: Locale): Promise<CheckoutEvent> {
  const [session, country] = await Promise.all([askSession(), visitorCountry()]);
  if (session.state === "member") void claimSurveyOrder(session.user);
  const mayLeave = terms.mayRedirect && session.state === "member";
  const place = mayLeave && counselingWelcome(session.user, locale);
  if (place) return { type: "therapyMemberSeen", place };
  const kept = session.state === "member" && keptApproval(terms.campaign, session.user.user_id);
  if (kept) return { type: "approvalFound", campaign: kept.campaign, approval: kept.approval };
  const answer = await loadCampaign({
    campaign: terms.campaign,
    couponCode: terms.couponCode,
    language: offerLanguage(locale),
    country,
    userId: session.state === "member" ? session.user.user_id : "",
  });
  if (!answer.ok) return { type: "campaignFailed", code: answer.problem.code };
  const { status, data, code, message } = answer.value;
  if (status) return offerOf(data, { country, locale, transactionType: terms.product.transactionType });
  if (code === "V100") return { type: "visitorSeen", message: message ?? "" };
  return { type: "campaignFailed", code: code ?? "" };
}

interface OfferedTo {
  country: string;
  locale: Locale;
  transactionType: string;
}

/** How it is paid follows from what is offered, to whom and where. */
function offerOf(campaign: Campaign, { country, ...sale }: OfferedTo): CheckoutEvent {
  const pages = russianPages(campaign, country);
  if (pages) return { type: "russianOfferLoaded", campaign, pages };
  return { type: directWay(campaign, sale) ? "directOfferLoaded" : "campaignLoaded", campaign };
}
