import { type Dispatch, useReducer } from "react";
import { useLocation } from "react-router";
import { afterPayment, continuationOf } from "~/features/payment/navigation/destination";
import { usePostPaymentNavigation } from "~/features/payment/navigation/use-post-payment-navigation";
import type { Campaign } from "~/features/payment/offer/offer";
import { isCoaching } from "~/features/payment/offer/product";
import { completePurchase, trackPurchase } from "~/features/payment/pay/complete-purchase";
import { pause } from "~/features/payment/pay/pause";
import type { Phase } from "~/features/payment/pay/phase";
import { offerLanguage, visitorCountry } from "~/lib/country";
import { localeOf } from "~/lib/locale";
import { persistOpenPayment } from "~/lib/payment/open-payment";
import { uuid } from "~/lib/random";
import { currentUser } from "~/lib/session/session";
import { storedTracking } from "~/lib/tracking";
import { confirmIntent, confirmSubscription, createSubscription } from "./api";
import type { CardPorts } from "./pay/card-ports";
import { type Attempt, type PayPorts, pay, pollSubscription } from "./pay/pay";
import { payIntent } from "./pay/pay-intent";
import { useIntent } from "./pay/use-intent";
import { type PaymentRunner, usePaymentRunner } from "./pay/use-payment-runner";
import { confirmApproval } from "./paypal/approval";
import { approvalPorts } from "./paypal/approval-ports";
import { persistApproval } from "./paypal/persisted-approval";
import { type CheckoutEvent, type CheckoutState, campaignOf, INITIAL, reduce } from "./state";
import type { CheckoutTerms } from "./terms";
import { useOffer } from "./use-offer";

export interface Checkout {
  state: CheckoutState;
  retry: () => void;
  submit: (card: CardPorts) => void;
  recheck: () => void;
  onWidgetEvent: (event: WidgetEvent) => void;
  /** Persists the order before the buyer leaves for a provider's page, which returns to another page of ours. */
  leaveForProvider: () => void;
  /** The window of a wallet or of PayPal opens, is closed by the buyer, or fails. */
  requestApproval: () => void;
  cancelApproval: () => void;
  failApproval: (code: "WALLET_FAILED" | "PAYPAL_FAILED") => void;
  /** The buyer approved a subscription at PayPal. */
  approve: (approval: string) => void;
  /** Another card was typed: an unanswered attempt must not be sent again with it. */
  cardChanged: () => void;
}

export type WidgetEvent = Extract<CheckoutEvent, { type: `widget${string}` }>;

export function useCheckout(terms: CheckoutTerms): Checkout {
  const navigate = usePostPaymentNavigation();
  const { pathname, search } = useLocation();
  const locale = localeOf(pathname);
  const [state, dispatch] = useReducer(reduce, INITIAL);
  useOffer({ state, terms, locale }, dispatch);

  const destination = () => afterPayment({ locale, path: pathname, query: new URLSearchParams(search), ...terms });
  const finish = async () => {
    const campaign = campaignOf(state);
    if (campaign) {
      trackPurchase(terms, campaign);
      await completePurchase(terms, campaign);
    }
    await navigate(destination());
  };
  const runner = usePaymentRunner(state, dispatch, () => void finish());
  const submit = useSubmit(terms, { state, dispatch, runner });

  return {
    state,
    submit,
    ...approvalActions(terms, { state, dispatch, runner }),
    retry: () => dispatch({ type: "retried" }),
    onWidgetEvent: dispatch,
    leaveForProvider: () => {
      const campaign = campaignOf(state);
      if (!campaign) return;
      const { campaign: code, couponCode } = terms;
      const continuation = continuationOf(destination(), locale);
      persistOpenPayment({ campaign: code, couponCode, ...continuation, isCoaching: isCoaching(terms, campaign) });
    },
    recheck: () => {
      if (state.step !== "pending") return;
      const { subscriptionId } = state;
      void runner.run({ type: "rechecked" }, () => pollSubscription(pollPorts(dispatch), subscriptionId));
    },
    cardChanged: () => {
      runner.unanswered.current = null;
    },
  };
}

interface Context {
  state: CheckoutState;
  dispatch: Dispatch<CheckoutEvent>;
  runner: PaymentRunner;
}

const pollPorts = (dispatch: Dispatch<CheckoutEvent>) => ({
  confirmSubscription,
  pause,
  advance: (phase: Phase) => dispatch({ type: "phaseChanged", phase }),
});

/** Pays an intent where one was created beforehand, else creates the subscription with the card. */
function useSubmit(terms: CheckoutTerms, { state, dispatch, runner }: Context): Checkout["submit"] {
  const intent = useIntent(state, terms, dispatch);
  const locale = localeOf(useLocation().pathname);

  const create = async ({ key, ...card }: Attempt, campaign: Campaign | null) => {
    if (!campaign) throw new Error("A payment was sent before its offer was known");
    const visit = {
      country: await visitorCountry(),
      language: offerLanguage(locale),
      tracking: storedTracking(),
    };
    return createSubscription({ campaign, couponCode: terms.couponCode, ...card, ...visit }, key);
  };
  const ports = (card: CardPorts): PayPorts => ({
    ...card,
    ...pollPorts(dispatch),
    newKey: uuid,
    createSubscription: (attempt) => create(attempt, campaignOf(state)),
  });

  return (card) => {
    if (runner.isBusy.current) return card.onResult?.(false);
    const { current } = intent;
    // A wallet approves each payment anew: an earlier attempt must not be sent in its place.
    if (card.source !== "stripe") runner.unanswered.current = null;
    const intentPorts = current && { ...card, advance: pollPorts(dispatch).advance, confirmIntent };
    void runner.run({ type: "submitted" }, async () => {
      const outcome = await (intentPorts
        ? payIntent(intentPorts, current)
        : pay(ports(card), runner.unanswered.current));
      card.onResult?.(outcome.kind !== "refused" && outcome.kind !== "unknown");
      return outcome;
    });
  };
}

type ApprovalActions = Pick<Checkout, "requestApproval" | "cancelApproval" | "failApproval" | "approve">;

function approvalActions(terms: CheckoutTerms, { state, dispatch, runner }: Context): ApprovalActions {
  return {
    requestApproval: () => dispatch({ type: "approvalRequested" }),
    cancelApproval: () => dispatch({ type: "approvalCanceled" }),
    failApproval: (code) => dispatch({ type: "approvalFailed", fault: { code, message: null } }),
    approve: (approval) => {
      const campaign = campaignOf(state);
      const userId = currentUser()?.user_id;
      if (campaign && userId) persistApproval(terms.campaign, { approval, userId, campaign });
      const ports = { ...approvalPorts, ...pollPorts(dispatch) };
      void runner.run({ type: "submitted" }, () => confirmApproval(ports, approval));
    },
  };
}
