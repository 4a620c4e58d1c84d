import { CardNumberElement, useElements, useStripe } from "@stripe/react-stripe-js";
import { useState } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Receipt } from "~/features/payment/form/receipt-email";
import { SafeLine } from "~/features/payment/form/secure-note";
import { useOrderLabel } from "~/features/payment/order/order-label";
import { Button } from "~/ui/button/button";
import { isTicked, TickHint, useTickWords } from "~/ui/consent-boxes/consent-boxes";
import { FieldError } from "~/ui/field/field";
import { Icon } from "~/ui/icon/icon";
import { CardToggle, WaysToPay } from "../methods/payment-method-buttons";
import { isCardOpen } from "../methods/payment-methods";
import type { FoundWays } from "../methods/use-payment-methods";
import { CardForm } from "./card-form";
import { ConsentBoxes } from "./consent-boxes";
import type { PayPanelProps } from "./pay-panel";
import { PayStatus } from "./pay-status";
import { RenewalTerms } from "./renewal-terms";

const FORM_ID = "card-form";
const WHY_CLOSED = "why-not-yet";

interface PayFormProps extends PayPanelProps {
  ways: FoundWays;
}

/** Every way to pay that is there. Beside others the card waits until it is asked for, and what holds for all stands above all. */
export function PayForm({ checkout, order, holder, consents, submitLabel, ways }: PayFormProps) {
  const t = useTexts();
  const stripe = useStripe();
  const elements = useElements();
  const [card, setCard] = useState({ isAskedFor: false, wasOpened: false });
  const [agreed, setAgreed] = useState({ terms: false, gdpr: false });
  const [isReminded, setReminded] = useState(false);
  const tickFirst = useTickWords(consents);
  const label = useOrderLabel(order, submitLabel);
  const { state } = checkout;
  const paying = state.step === "paying" || state.step === "paid" || state.step === "approving";
  const missing = !isTicked(consents, agreed);
  const isOver = state.step === "pending";
  const hasOthers = ways.layout === "cardBehind" && !isOver;
  const isOpen = isCardOpen(ways.layout, card.isAskedFor);
  if (!stripe) return null;

  const toggle = () => {
    setCard({ isAskedFor: !card.isAskedFor, wasOpened: true });
    // The first time the fields take the focus themselves, once they are there.
    if (!card.isAskedFor && card.wasOpened) setTimeout(() => elements?.getElement(CardNumberElement)?.focus());
  };
  const mayOpen = () => {
    setReminded(missing);
    return !missing;
  };
  const conditions = (
    <>
      <ConsentBoxes wanted={consents} given={agreed} onChange={setAgreed} />
      <RenewalTerms order={order} />
    </>
  );

  return (
    <div aria-busy={paying || undefined} className="rounded-card bg-card p-5 shadow-raised md:p-8">
      <div className="mb-6 flex items-center justify-between gap-4">
        <h2 className="display text-xl">{t(hasOthers ? "checkout.pay" : "checkout.card")}</h2>
        <Icon name="card" className="text-muted" />
      </div>
      <Receipt email={holder.email} />
      {hasOthers && (
        <div className="space-y-5">
          {conditions}
          <div aria-live="polite" className="empty:hidden">
            <FieldError id="consent-reminder" message={isReminded && missing ? tickFirst : undefined} />
          </div>
          <WaysToPay stripe={stripe} checkout={checkout} ways={ways} mayOpen={mayOpen} />
        </div>
      )}
      {!isOpen && (
        <div className="mt-5 empty:hidden">
          <PayStatus checkout={checkout} />
        </div>
      )}
      {hasOthers && <CardToggle controls={FORM_ID} isOpen={isOpen} onToggle={toggle} />}
      {(isOpen || card.wasOpened) && (
        <CardForm
          id={FORM_ID}
          stripe={stripe}
          checkout={checkout}
          holder={holder}
          isHidden={!isOpen}
          takesFocus={card.wasOpened}
          isComplete={!missing}
        >
          <div className="mt-6 space-y-4">
            {!hasOthers && conditions}
            {isOpen && <PayStatus checkout={checkout} />}
            {!isOver && (
              <div>
                <Button
                  type="submit"
                  busy={paying}
                  disabled={missing || state.step === "blocked"}
                  aria-describedby={missing ? WHY_CLOSED : undefined}
                  className="w-full"
                >
                  {label}
                </Button>
                <TickHint id={WHY_CLOSED} wanted={consents} agreed={agreed} />
              </div>
            )}
          </div>
        </CardForm>
      )}
      <div className="mt-4">
        <SafeLine />
      </div>
    </div>
  );
}
