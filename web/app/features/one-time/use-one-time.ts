import { useEffect, useReducer, useRef } from "react";
import { useLocation } from "react-router";
import { afterOneTimePayment } from "~/features/payment/navigation/destination";
import { useGoing } from "~/features/payment/navigation/use-post-payment-navigation";
import type { Campaign } from "~/features/payment/offer/offer";
import { isCoaching, productFields } from "~/features/payment/offer/product";
import { pause } from "~/features/payment/pay/pause";
import { track } from "~/lib/analytics";
import type { CardHolder } from "~/lib/card";
import { localeOf } from "~/lib/locale";
import { uuid } from "~/lib/random";
import { currentUser } from "~/lib/session";
import { createSurveyPlaylist, settleSurveyOrder } from "~/lib/survey-order";
import { type Counter, isPaid, openPayment } from "./api";
import { bodyOf, loadOffer } from "./load-offer";
import type { CardPorts } from "./pay/card-ports";
import { type Held, type PayOncePorts, payOnce, watch } from "./pay/pay-one-time";
import { forgetAttempt, keepAttempt, keptAttempt, markOf } from "./pay/persisted-attempt";
import { type Conclusion, heldOf, INITIAL, type OneTimeEvent, type OneTimeState, offerOf, reduce } from "./state";
import type { OneTimeTerms } from "./terms";

/** Who pays, by what card, and how that is opened. */
export interface Payer {
  holder: CardHolder;
  card: CardPorts;
  counter: Counter;
}

export interface OneTime {
  state: OneTimeState;
  retry: () => void;
  submit: (payer: Payer) => void;
  recheck: (payer: Payer) => void;
  /** Another way to pay than before. */
  cardChosen: () => void;
}

/** `buyer` is who is known or typed so far: a new price is asked for in their name. */
export function useOneTime(terms: OneTimeTerms, buyer: CardHolder): OneTime {
  const go = useGoing();
  const { pathname, search } = useLocation();
  const locale = localeOf(pathname);
  const [state, dispatch] = useReducer(reduce, INITIAL);
  const busy = useRef(false);
  const sent = useRef("");
  const latest = useRef(buyer);
  latest.current = buyer;

  const asksAgain = state.step === "loading" && state.before !== null;

  useEffect(() => {
    if (state.step !== "loading") return;
    let wanted = true;
    void loadOffer(terms, locale, latest.current).then((event) => {
      if (!wanted) return;
      if (event.type === "offerLoaded" && !asksAgain) {
        track("add_to_cart", productFields(terms, event.offer.campaign));
      }
      dispatch(event);
    });
    return () => {
      wanted = false;
    };
  }, [state.step, asksAgain, terms, locale]);

  const leave = async (campaign: Campaign) => {
    if (isCoaching(terms, campaign)) await settleSurveyOrder("follow-up", currentUser());
    await createSurveyPlaylist();
    await go(afterOneTimePayment({ ...terms, locale, path: pathname, query: new URLSearchParams(search) }));
  };

  const conclude = (end: Conclusion) => {
    if (!isOpen(end)) forgetAttempt(sent.current);
    dispatch(end);
    const offer = offerOf(state);
    if (end.type !== "settled" || !offer) return;
    track("purchase", productFields(terms, offer.campaign));
    if (terms.leanplum) track("leanplum", terms.leanplum);
    void leave(offer.campaign);
  };

  const run = async (start: OneTimeEvent, work: () => Promise<Conclusion>) => {
    if (busy.current) return;
    busy.current = true;
    dispatch(start);
    const end = await work();
    busy.current = false;
    conclude(end);
  };

  const attempt = async ({ holder, counter }: Payer): Promise<Held | null> => {
    const offer = offerOf(state);
    if (!offer) return null;
    const mark = markOf(counter, terms.campaign, offer.campaign.price_id, holder.email);
    const held = heldOf(state) ??
      keptAttempt(mark) ?? { key: uuid(), body: await bodyOf(counter, offer, terms, locale), opened: null };
    keepAttempt(mark, held);
    sent.current = held.key;
    return held;
  };

  const advance: PayOncePorts["advance"] = (phase) => dispatch({ type: "advanced", phase });

  return {
    state,
    retry: () => dispatch({ type: "retried" }),
    cardChosen: () => dispatch({ type: "cardChosen" }),
    submit: (payer) => {
      if (state.step !== "ready" && state.step !== "blocked") return;
      void run({ type: "submitted" }, async () => {
        const held = await attempt(payer);
        if (!held) throw new Error("A payment was sent before its offer was known");
        return withoutKeptCard(payer, await payOnce({ ...portsOf(payer), advance }, held));
      });
    },
    recheck: (payer) => {
      if (state.step !== "pending") return;
      const { held } = state;
      void run({ type: "rechecked" }, () => watch({ ...portsOf(payer), advance }, held));
    },
  };
}

/** Whether it may still be paid by what was sent. */
function isOpen(end: Conclusion): boolean {
  return end.type === "unanswered" || end.type === "undecided" || (end.type === "refused" && end.held !== null);
}

/** What the kept card has not paid is not paid by that card: the next attempt begins anew. */
function withoutKeptCard({ counter }: Payer, end: Conclusion): Conclusion {
  return end.type === "refused" && counter === "keptCard" ? { ...end, held: null } : end;
}

function portsOf({ card, counter }: Payer): Omit<PayOncePorts, "advance"> {
  const isMember = counter !== "guest";
  return {
    card: card.card,
    confirm: card.confirm,
    open: ({ key, body }) => openPayment(counter, key, body),
    async look({ key, body, opened }) {
      if (isMember && opened?.intentId && (await isPaid(opened.intentId))) return "succeeded";
      if (isMember) return opened?.secret ? card.retrieve(opened.secret) : "unknown";
      const again = await openPayment(counter, key, body);
      const now = again.ok && "opened" in again.value ? again.value.opened : opened;
      if (now?.status === "succeeded") return "succeeded";
      // Our server hears of a guest's payment after the provider does.
      return now?.secret ? card.retrieve(now.secret) : "unknown";
    },
    async tell({ intentId }) {
      if (isMember && intentId) await isPaid(intentId);
    },
    pause,
  };
}
