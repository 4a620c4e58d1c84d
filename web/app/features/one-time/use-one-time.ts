import { type Dispatch, useEffect, useReducer, useRef } from "react";
import { useLocation } from "react-router";
import { afterOneTimePayment } from "~/features/payment/navigation/destination";
import { usePostPaymentNavigation } from "~/features/payment/navigation/use-post-payment-navigation";
import type { Campaign } from "~/features/payment/offer/offer";
import { productFields } from "~/features/payment/offer/product";
import { completePurchase, trackPurchase } from "~/features/payment/pay/complete-purchase";
import { pause } from "~/features/payment/pay/pause";
import { track } from "~/lib/analytics";
import { type Locale, localeOf } from "~/lib/locale";
import type { CardHolder } from "~/lib/payment/card";
import { uuid } from "~/lib/random";
import { createIntent, type IntentPurpose, isPaid } from "./api";
import { intentFields, loadOffer } from "./load-offer";
import type { CardPorts } from "./pay/card-ports";
import { type PaymentAttempt, type PayOneTimePorts, payOneTime, recheckAttempt } from "./pay/pay-one-time";
import { attemptFingerprint, persistAttempt, persistedAttempt, removePersistedAttempt } from "./pay/persisted-attempt";
import {
  attemptOf,
  INITIAL,
  type OneTimeEvent,
  type OneTimeOutcome,
  type OneTimeState,
  offerOf,
  reduce,
} from "./state";
import type { OneTimeTerms } from "./terms";

/** The buyer, the card and the purpose of the intent. */
export interface Payer {
  holder: CardHolder;
  card: CardPorts;
  purpose: IntentPurpose;
}

export interface OneTime {
  state: OneTimeState;
  retry: () => void;
  submit: (payer: Payer) => void;
  recheck: (payer: Payer) => void;
  /** The buyer switched between the saved and a typed card. */
  cardChosen: () => void;
}

/** `buyer` is the known or typed buyer: a new price is requested for them. */
export function useOneTime(terms: OneTimeTerms, buyer: CardHolder): OneTime {
  const navigate = usePostPaymentNavigation();
  const { pathname, search } = useLocation();
  const locale = localeOf(pathname);
  const [state, dispatch] = useReducer(reduce, INITIAL);
  const sentKey = useRef("");
  useOffer({ state, terms, buyer, locale }, dispatch);

  const leave = async (campaign: Campaign) => {
    await completePurchase(terms, campaign);
    await navigate(afterOneTimePayment({ ...terms, locale, path: pathname, query: new URLSearchParams(search) }));
  };

  const run = useSingleRun(dispatch, (outcome) => {
    if (!isOpen(outcome)) removePersistedAttempt(sentKey.current);
    dispatch(outcome);
    const offer = offerOf(state);
    if (outcome.type !== "settled" || !offer) return;
    trackPurchase(terms, offer.campaign);
    void leave(offer.campaign);
  });

  const prepareAttempt = async ({ holder, purpose }: Payer): Promise<PaymentAttempt> => {
    const offer = offerOf(state);
    if (!offer) throw new Error("A payment was sent before its offer was known");
    const fingerprint = attemptFingerprint(purpose, terms.campaign, offer.campaign.price_id, holder.email);
    const attempt = attemptOf(state) ??
      persistedAttempt(fingerprint) ?? {
        key: uuid(),
        body: await intentFields(purpose, offer, terms, locale),
        opened: null,
      };
    persistAttempt(fingerprint, attempt);
    sentKey.current = attempt.key;
    return attempt;
  };

  const advance: PayOneTimePorts["advance"] = (phase) => dispatch({ type: "phaseChanged", phase });

  return {
    state,
    retry: () => dispatch({ type: "retried" }),
    cardChosen: () => dispatch({ type: "cardChosen" }),
    submit: (payer) => {
      if (state.step !== "ready" && state.step !== "mustResend") return;
      void run({ type: "submitted" }, async () => {
        const attempt = await prepareAttempt(payer);
        return withoutSavedCardAttempt(payer, await payOneTime({ ...portsOf(payer), advance }, attempt));
      });
    },
    recheck: (payer) => {
      if (state.step !== "pending") return;
      const { attempt } = state;
      void run({ type: "rechecked" }, () => recheckAttempt({ ...portsOf(payer), advance }, attempt));
    },
  };
}

interface OfferSource {
  state: OneTimeState;
  terms: OneTimeTerms;
  buyer: CardHolder;
  locale: Locale;
}

/** Loads the offer whenever the state is `loading`, and reports the first one as added to the cart. */
function useOffer({ state, terms, buyer, locale }: OfferSource, dispatch: Dispatch<OneTimeEvent>): void {
  const latestBuyer = useRef(buyer);
  latestBuyer.current = buyer;
  const isReload = state.step === "loading" && state.before !== null;

  useEffect(() => {
    if (state.step !== "loading") return;
    let isCurrent = true;
    void loadOffer(terms, locale, latestBuyer.current).then((event) => {
      if (!isCurrent) return;
      if (event.type === "offerLoaded" && !isReload) {
        track("add_to_cart", productFields(terms, event.offer.campaign));
      }
      dispatch(event);
    });
    return () => {
      isCurrent = false;
    };
  }, [state.step, isReload, terms, locale, dispatch]);
}

type Run = (start: OneTimeEvent, work: () => Promise<OneTimeOutcome>) => Promise<void>;

/** Runs one payment at a time; further calls are ignored. */
function useSingleRun(dispatch: Dispatch<OneTimeEvent>, onOutcome: (outcome: OneTimeOutcome) => void): Run {
  const isBusy = useRef(false);
  return async (start, work) => {
    if (isBusy.current) return;
    isBusy.current = true;
    dispatch(start);
    const outcome = await work();
    isBusy.current = false;
    onOutcome(outcome);
  };
}

/** Whether the sent attempt may still be paid. */
function isOpen(outcome: OneTimeOutcome): boolean {
  return (
    outcome.type === "unanswered" ||
    outcome.type === "undecided" ||
    (outcome.type === "refused" && outcome.attempt !== null)
  );
}

/** A refused saved card ends its attempt: the next one starts anew. */
function withoutSavedCardAttempt({ purpose }: Payer, outcome: OneTimeOutcome): OneTimeOutcome {
  return outcome.type === "refused" && purpose === "savedCard" ? { ...outcome, attempt: null } : outcome;
}

function portsOf({ card, purpose }: Payer): Omit<PayOneTimePorts, "advance"> {
  const isMember = purpose !== "guest";
  return {
    createCard: card.createCard,
    confirm: card.confirm,
    createIntent: ({ key, body }) => createIntent(purpose, key, body),
    async pollStatus({ key, body, opened }) {
      if (isMember && opened?.intentId && (await isPaid(opened.intentId))) return "succeeded";
      if (isMember) return opened?.secret ? card.retrieve(opened.secret) : "unknown";
      const again = await createIntent(purpose, key, body);
      const now = again.ok && "opened" in again.value ? again.value.opened : opened;
      if (now?.status === "succeeded") return "succeeded";
      // Our server learns of a guest's payment after the provider.
      return now?.secret ? card.retrieve(now.secret) : "unknown";
    },
    async notifyServer({ intentId }) {
      if (isMember && intentId) await isPaid(intentId);
    },
    pause,
  };
}
