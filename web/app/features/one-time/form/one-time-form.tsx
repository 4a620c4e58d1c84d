import { CardNumberElement, useElements, useStripe } from "@stripe/react-stripe-js";
import type { Stripe } from "@stripe/stripe-js";
import { type FormEvent, useEffect, useState } from "react";
import { isOwnCode } from "~/features/payment/pay/fault";
import { useTexts } from "~/lib/i18n";
import type { CardHolder } from "~/lib/payment/card";
import "~/lib/i18n/journeys";
import { ReceiptEmail } from "~/features/payment/form/receipt-email";
import { SecureNote } from "~/features/payment/form/secure-note";
import { useLegalOrderLabel } from "~/features/payment/order/order-label";
import type { OrderView } from "~/features/payment/order/order-view";
import { Button } from "~/ui/button/button";
import { CardFields, type CardFieldsState, EMPTY_CARD } from "~/ui/card-fields/card-fields";
import { ConsentBoxes, type ConsentLabels, isTicked, TickHint } from "~/ui/consent-boxes/consent-boxes";
import { Icon } from "~/ui/icon/icon";
import { Notice } from "~/ui/notice/notice";
import type { IntentPurpose } from "../api";
import { cardPorts } from "../pay/card-ports";
import { type OneTimeState, offerOf } from "../state";
import type { OneTimeKind } from "../terms";
import type { OneTime, Payer } from "../use-one-time";
import { type BuyerFaults, faultsOf, trimBuyer } from "./buyer";
import { BUYER_FIELD_IDS, BuyerFields } from "./buyer-fields";
import { OneTimeStatus } from "./one-time-status";
import { SavedCard } from "./saved-card";

const TICK_HINT_ID = "why-not-yet";

export interface OneTimeFormProps {
  checkout: OneTime;
  kind: OneTimeKind;
  /** Null while the offer loads: the form is inert until then. */
  order: OrderView | null;
  consents: ConsentLabels;
  submitLabel: string | null;
  buyer: CardHolder;
  onBuyer: (buyer: CardHolder) => void;
}

export function OneTimeForm({ checkout, kind, order, consents, submitLabel, buyer, onBuyer }: OneTimeFormProps) {
  const t = useTexts();
  const stripe = useStripe();
  const { state } = checkout;
  const [card, setCard] = useState<CardFieldsState>(EMPTY_CARD);
  const [agreed, setAgreed] = useState({ terms: false, gdpr: false });
  const [faults, setFaults] = useState<BuyerFaults>({});
  const savedCard = useSavedCard(state);
  const payer = usePayer({ stripe, kind, buyer, usesSavedCard: savedCard.isUsed, network: card.network });
  const isGuest = kind === "program";
  const isBusy = state.step === "paying" || state.step === "paid" || state.step === "loading";
  const lacksConsent = !isTicked(consents, agreed);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy || lacksConsent) return;
    const found = isGuest ? faultsOf(buyer) : {};
    setFaults(found);
    if (focusFirstFault(found)) return;
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
      aria-busy={isBusy || !order || !stripe || undefined}
      className="rounded-card bg-card p-5 shadow-raised md:p-8"
    >
      {isGuest && (
        <BuyerFields
          value={buyer}
          faults={faults}
          disabled={isBusy || state.step === "mustResend" || state.step === "pending"}
          onChange={(next) => {
            onBuyer(next);
            setFaults({});
          }}
        />
      )}
      <CardHeading />
      {!isGuest && <ReceiptEmail email={buyer.email} />}
      <SavedCardChoice savedCard={savedCard} checkout={checkout} />
      {!savedCard.isUsed && <CardFields value={card} onChange={setCard} />}
      <ConsentBoxes {...consents} agreed={agreed} onChange={setAgreed} />
      <div className="mt-6 space-y-4">
        <FormStatus faults={faults} state={state} onRecheck={recheck} />
        {state.step !== "pending" && (
          <div>
            <SubmitButton {...{ state, order, submitLabel, lacksConsent }} isBusy={isBusy || !order || !stripe} />
            <TickHint id={TICK_HINT_ID} required={consents} agreed={agreed} />
          </div>
        )}
        <p className="text-center text-2xs text-muted">{t("oneTime.noRenewal")}</p>
        <SecureNote />
      </div>
    </form>
  );
}

interface PayerSource {
  stripe: Stripe | null;
  kind: OneTimeKind;
  buyer: CardHolder;
  usesSavedCard: boolean;
  /** Empty: the card has only one network. */
  network: string;
}

/** Null: Stripe or its card field is not ready. */
function usePayer({ stripe, kind, buyer, usesSavedCard, network }: PayerSource): () => Payer | null {
  const elements = useElements();
  return () => {
    const card = usesSavedCard ? null : (elements?.getElement(CardNumberElement) ?? null);
    if (!stripe || !(card || usesSavedCard)) return null;
    const isGuest = kind === "program";
    const purpose: IntentPurpose = isGuest ? "guest" : usesSavedCard ? "savedCard" : "member";
    const holder = trimBuyer(buyer);
    const receiptEmail = isGuest ? holder.email : null;
    const source = { stripe, card, holder, network, savesCard: kind === "therapy", receiptEmail };
    return { holder, purpose, card: cardPorts(source) };
  };
}

function focusFirstFault(faults: BuyerFaults): boolean {
  const first = faults.email ? "email" : faults.name ? "name" : null;
  if (first) document.getElementById(BUYER_FIELD_IDS[first])?.focus();
  return first !== null;
}

function CardHeading() {
  const t = useTexts();
  return (
    <div className="mb-6 flex items-center justify-between gap-4">
      <h2 className="display text-xl">{t("checkout.card")}</h2>
      <Icon name="card" className="text-muted" />
    </div>
  );
}

interface SavedCardChoiceProps {
  savedCard: ReturnType<typeof useSavedCard>;
  checkout: OneTime;
}

function SavedCardChoice({ savedCard, checkout }: SavedCardChoiceProps) {
  if (!savedCard.last4) return null;
  return (
    <SavedCard
      last4={savedCard.last4}
      isUsed={savedCard.isUsed}
      onChange={(isUsed) => {
        savedCard.use(isUsed);
        checkout.cardChosen();
      }}
      isDisabled={checkout.state.step !== "ready"}
    />
  );
}

interface FormStatusProps {
  faults: BuyerFaults;
  state: OneTimeState;
  onRecheck: () => void;
}

function FormStatus({ faults, state, onRecheck }: FormStatusProps) {
  const t = useTexts();
  if (Object.keys(faults).length === 0) return <OneTimeStatus state={state} onRecheck={onRecheck} />;
  return (
    <Notice tone="danger">
      <p>{t("oneTime.fillAll")}</p>
    </Notice>
  );
}

interface SubmitButtonProps {
  state: OneTimeState;
  order: OrderView | null;
  submitLabel: string | null;
  lacksConsent: boolean;
  isBusy: boolean;
}

function SubmitButton({ state, order, submitLabel, lacksConsent, isBusy }: SubmitButtonProps) {
  const t = useTexts();
  const ownLabel = submitLabel ?? (order ? t("oneTime.pay", { price: order.dueToday }) : t("checkout.payNow"));
  const orderLabel = useLegalOrderLabel(ownLabel);
  return (
    <Button
      type="submit"
      busy={isBusy}
      disabled={lacksConsent}
      aria-describedby={lacksConsent ? TICK_HINT_ID : undefined}
      className="w-full"
    >
      {state.step === "mustResend" ? t("errors.retry") : order ? orderLabel : ownLabel}
    </Button>
  );
}

/** The saved card is used unless the member chooses another or the bank refused it. */
function useSavedCard(state: OneTimeState) {
  const [isWanted, setWanted] = useState(true);
  const last4 = offerOf(state)?.last4 ?? null;
  const fault = state.step === "ready" ? state.fault : null;
  const isRefused = fault !== null && !isOwnCode(fault.code);
  useEffect(() => {
    if (isRefused) setWanted(false);
  }, [isRefused]);
  return { last4, isUsed: last4 !== null && isWanted, use: setWanted };
}
