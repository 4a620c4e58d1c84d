import { useEffect, useReducer, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { track } from "~/lib/analytics";
import { counselingWelcome } from "~/lib/counseling";
import { offerLanguage, visitorCountry } from "~/lib/country";
import { type Locale, localeOf } from "~/lib/locale";
import { uuid } from "~/lib/random";
import { askSession } from "~/lib/session";
import { storedTracking } from "~/lib/tracking";
import { confirmSubscription, createSubscription, grantTemporaryPremium, loadCampaign, therapyToken } from "./api";
import type { CardPorts } from "./card-ports";
import { conclusionOf } from "./conclusion";
import { type Attempt, awaitBank, type Outcome, type PayPorts, pay } from "./pay";
import { productFields } from "./product";
import { afterPayment, type Destination, withToken } from "./redirect";
import { type CheckoutEvent, type CheckoutState, campaignOf, INITIAL, type Phase, reduce } from "./state";
import type { CheckoutTerms } from "./terms";

const LEAVE_AFTER_GRANT_MS = 100;

export interface Checkout {
  state: CheckoutState;
  retry: () => void;
  submit: (card: CardPorts) => void;
  recheck: () => void;
  /** The card is another one now: what was sent before must not be sent again. */
  cardChanged: () => void;
}

export function useCheckout(terms: CheckoutTerms): Checkout {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const locale = localeOf(pathname);
  const [state, dispatch] = useReducer(reduce, INITIAL);
  const open = useRef<Attempt | null>(null);
  const busy = useRef(false);

  const asksAgain = state.step === "loading" && state.fault !== null;

  useEffect(() => {
    if (state.step !== "loading") return;
    let wanted = true;
    void load(terms, locale).then((event) => {
      if (!wanted) return;
      if (event.type === "campaignLoaded" && !asksAgain) track("add_to_cart", productFields(terms, event.campaign));
      dispatch(event);
    });
    return () => {
      wanted = false;
    };
  }, [state.step, asksAgain, terms, locale]);

  const go = async (destination: Destination) => {
    if (destination.kind === "page") return navigate(destination.url, { viewTransition: true });
    if (destination.kind === "handOver") {
      return window.location.assign(withToken(destination.url, await therapyToken()));
    }
    const elsewhere = await grantTemporaryPremium(locale, destination.wanted);
    if (!elsewhere) return navigate(destination.otherwise, { viewTransition: true });
    await pause(LEAVE_AFTER_GRANT_MS);
    window.location.assign(elsewhere);
  };

  const conclude = (outcome: Outcome) => {
    open.current = outcome.kind === "unknown" ? outcome.attempt : null;
    const campaign = campaignOf(state);
    dispatch(conclusionOf(outcome));
    if (outcome.kind !== "settled") return;
    if (campaign) track("purchase", productFields(terms, campaign));
    if (terms.leanplum) track("leanplum", terms.leanplum);
    const query = new URLSearchParams(search);
    void go(afterPayment({ locale, path: pathname, query, ...terms }));
  };

  const run = async (start: CheckoutEvent, work: () => Promise<Outcome>) => {
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
      const request = { campaign, couponCode: terms.couponCode, paymentMethodId: attempt.paymentMethodId };
      const country = await visitorCountry();
      const visit = { country, language: offerLanguage(locale), tracking: storedTracking() };
      return createSubscription({ ...request, ...visit }, attempt.key);
    },
  });

  return {
    state,
    retry: () => dispatch({ type: "retried" }),
    submit: (card) => void run({ type: "submitted" }, () => pay(ports(card), open.current)),
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
  const mayLeave = terms.mayRedirect && session.state === "member";
  const place = mayLeave && counselingWelcome(session.user, locale);
  if (place) return { type: "therapyMemberSeen", place };
  const answer = await loadCampaign({
    campaign: terms.campaign,
    couponCode: terms.couponCode,
    language: offerLanguage(locale),
    country,
    userId: session.state === "member" ? session.user.user_id : "",
  });
  if (!answer.ok) return { type: "campaignFailed", code: answer.problem.code };
  const { status, data, code, message } = answer.value;
  if (status) return { type: "campaignLoaded", campaign: data };
  if (code === "V100") return { type: "visitorSeen", message: message ?? "" };
  return { type: "campaignFailed", code: code ?? "" };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
