import { CardNumberElement, useElements, useStripe } from "@stripe/react-stripe-js";
import { type FormEvent, useEffect, useState } from "react";
import { isOwnCode } from "~/features/payment/pay/fault";
import type { CardHolder } from "~/lib/card";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Receipt } from "~/features/payment/form/receipt-email";
import { SafeLine } from "~/features/payment/form/secure-note";
import { useOrderWords } from "~/features/payment/order/order-label";
import type { OrderView } from "~/features/payment/order/order-view";
import { Button } from "~/ui/button/button";
import { CardFields, type CardFieldsState, NO_CARD_YET } from "~/ui/card-fields/card-fields";
import { ConsentBoxes, type ConsentWords, isTicked, TickHint } from "~/ui/consent-boxes/consent-boxes";
import { Icon } from "~/ui/icon/icon";
import { Notice } from "~/ui/notice/notice";
import type { Counter } from "../api";
import { cardPorts } from "../pay/card-ports";
import { type OneTimeState, offerOf } from "../state";
import type { OneTimeKind } from "../terms";
import type { OneTime, Payer } from "../use-one-time";
import { type BuyerFaults, faultsOf, trimmed } from "./buyer";
import { BUYER_FIELD_IDS, BuyerFields } from "./buyer-fields";
import { OneTimeStatus } from "./one-time-status";
import { KeptCard } from "./saved-card";

const WHY_CLOSED = "why-not-yet";

export interface OneTimeFormProps {
  checkout: OneTime;
  kind: OneTimeKind;
  /** None yet: what is typed before the page answers would be lost. */
  order: OrderView | null;
  consents: ConsentWords;
  submitLabel: string | null;
  buyer: CardHolder;
  onBuyer: (buyer: CardHolder) => void;
}

export function OneTimeForm({ checkout, kind, order, consents, submitLabel, buyer, onBuyer }: OneTimeFormProps) {
  const t = useTexts();
  const stripe = useStripe();
  const elements = useElements();
  const { state } = checkout;
  const [card, setCard] = useState<CardFieldsState>(NO_CARD_YET);
  const [agreed, setAgreed] = useState({ terms: false, gdpr: false });
  const [faults, setFaults] = useState<BuyerFaults>({});
  const kept = useKeptCard(state);
  const asksWho = kind === "program";
  const isOpening = !order || !stripe;
  const isBusy = state.step === "paying" || state.step === "paid" || state.step === "loading";
  const lacksConsent = !isTicked(consents, agreed);

  const own = submitLabel ?? (order ? t("oneTime.pay", { price: order.dueToday }) : t("checkout.payNow"));
  const ordering = useOrderWords(own);

  const payer = (): Payer | null => {
    const element = kept.isUsed ? null : (elements?.getElement(CardNumberElement) ?? null);
    if (!stripe || !(element || kept.isUsed)) return null;
    const counter: Counter = asksWho ? "guest" : kept.isUsed ? "keptCard" : "member";
    const holder = trimmed(buyer);
    const keepsCard = kind === "therapy";
    const receiptTo = asksWho ? holder.email : null;
    const source = { stripe, card: element, holder, network: card.network, keepsCard, receiptTo };
    return { holder, counter, card: cardPorts(source) };
  };

  const isFilledIn = () => {
    const found = asksWho ? faultsOf(buyer) : {};
    setFaults(found);
    const first = found.email ? "email" : found.name ? "name" : null;
    if (first) document.getElementById(BUYER_FIELD_IDS[first])?.focus();
    return !first;
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy || lacksConsent || !isFilledIn()) return;
    const ready = payer();
    if (ready) checkout.submit(ready);
  };

  const recheck = () => {
    const ready = payer();
    if (ready) checkout.recheck(ready);
  };

  return (
    <form
      onSubmit={submit}
      noValidate
      inert={!order}
      aria-busy={isBusy || isOpening || undefined}
      className="rounded-card bg-card p-5 shadow-raised md:p-8"
    >
      {asksWho && (
        <BuyerFields
          value={buyer}
          faults={faults}
          disabled={isBusy || state.step === "blocked" || state.step === "pending"}
          onChange={(next) => {
            onBuyer(next);
            setFaults({});
          }}
        />
      )}
      <div className="mb-6 flex items-center justify-between gap-4">
        <h2 className="display text-xl">{t("checkout.card")}</h2>
        <Icon name="card" className="text-muted" />
      </div>
      {!asksWho && <Receipt email={buyer.email} />}
      {kept.last4 && (
        <KeptCard
          last4={kept.last4}
          isUsed={kept.isUsed}
          onChange={(isUsed) => {
            kept.use(isUsed);
            checkout.cardChosen();
          }}
          isFixed={state.step !== "ready"}
        />
      )}
      {!kept.isUsed && <CardFields value={card} onChange={setCard} />}
      <ConsentBoxes {...consents} agreed={agreed} onChange={setAgreed} />
      <div className="mt-6 space-y-4">
        {Object.keys(faults).length > 0 ? (
          <Notice tone="danger">
            <p>{t("oneTime.fillAll")}</p>
          </Notice>
        ) : (
          <OneTimeStatus state={state} onRecheck={recheck} />
        )}
        {state.step !== "pending" && (
          <div>
            <Button
              type="submit"
              busy={isBusy || isOpening}
              disabled={lacksConsent}
              aria-describedby={lacksConsent ? WHY_CLOSED : undefined}
              className="w-full"
            >
              {state.step === "blocked" ? t("errors.retry") : order ? ordering : own}
            </Button>
            <TickHint id={WHY_CLOSED} wanted={consents} agreed={agreed} />
          </div>
        )}
        <p className="text-center text-2xs text-muted">{t("oneTime.noRenewal")}</p>
        <SafeLine />
      </div>
    </form>
  );
}

/** The card somebody has left is charged unless they want another, or their bank has refused it. */
function useKeptCard(state: OneTimeState) {
  const [isWanted, setWanted] = useState(true);
  const last4 = offerOf(state)?.last4 ?? null;
  const fault = state.step === "ready" ? state.fault : null;
  const isRefused = fault !== null && !isOwnCode(fault.code);
  useEffect(() => {
    if (isRefused) setWanted(false);
  }, [isRefused]);
  return { last4, isUsed: last4 !== null && isWanted, use: setWanted };
}
