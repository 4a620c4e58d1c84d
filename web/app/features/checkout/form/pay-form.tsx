import { CardNumberElement, useElements, useStripe } from "@stripe/react-stripe-js";
import { useState } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { ReceiptEmail } from "~/features/payment/form/receipt-email";
import { SecureNote } from "~/features/payment/form/secure-note";
import { useOrderLabel } from "~/features/payment/order/order-label";
import { Button } from "~/ui/button/button";
import { isTicked, TickHint, useTickHintText } from "~/ui/consent-boxes/consent-boxes";
import { FieldError } from "~/ui/field/field";
import { Icon } from "~/ui/icon/icon";
import { CardToggle, PaymentMethodButtons } from "../methods/payment-method-buttons";
import { isCardOpen } from "../methods/payment-methods";
import type { PaymentMethods } from "../methods/use-payment-methods";
import { CardForm } from "./card-form";
import { ConsentBoxes } from "./consent-boxes";
import type { PayPanelProps } from "./pay-panel";
import { PayStatus } from "./pay-status";
import { RenewalTerms } from "./renewal-terms";

const FORM_ID = "card-form";
const TICK_HINT_ID = "why-not-yet";

interface PayFormProps extends PayPanelProps {
  methods: PaymentMethods;
}

/**
 * All available payment methods. Next to other methods the card form is collapsed; consents and terms are above all
 * methods.
 */
export function PayForm({ checkout, order, holder, consents, submitLabel, methods }: PayFormProps) {
  const t = useTexts();
  const stripe = useStripe();
  const elements = useElements();
  const [card, setCard] = useState({ isRequested: false, wasOpened: false });
  const [agreed, setAgreed] = useState({ terms: false, gdpr: false });
  const [isReminderShown, setReminderShown] = useState(false);
  const tickFirst = useTickHintText(consents);
  const label = useOrderLabel(order, submitLabel);
  const { state } = checkout;
  const paying = state.step === "paying" || state.step === "paid" || state.step === "awaitingApproval";
  const lacksConsent = !isTicked(consents, agreed);
  const isPending = state.step === "pending";
  const hasOtherMethods = methods.layout === "cardCollapsed" && !isPending;
  const isOpen = isCardOpen(methods.layout, card.isRequested);
  if (!stripe) return null;

  const toggle = () => {
    setCard({ isRequested: !card.isRequested, wasOpened: true });
    // On the first opening the fields focus themselves when they are ready.
    if (!card.isRequested && card.wasOpened) setTimeout(() => elements?.getElement(CardNumberElement)?.focus());
  };
  const mayOpen = () => {
    setReminderShown(lacksConsent);
    return !lacksConsent;
  };
  const conditions = (
    <>
      <ConsentBoxes required={consents} agreed={agreed} onChange={setAgreed} />
      <RenewalTerms order={order} />
    </>
  );

  return (
    <div aria-busy={paying || undefined} className="rounded-card bg-card p-5 shadow-raised md:p-8">
      <div className="mb-6 flex items-center justify-between gap-4">
        <h2 className="display text-xl">{t(hasOtherMethods ? "checkout.pay" : "checkout.card")}</h2>
        <Icon name="card" className="text-muted" />
      </div>
      <ReceiptEmail email={holder.email} />
      {hasOtherMethods && (
        <div className="space-y-5">
          {conditions}
          <div aria-live="polite" className="empty:hidden">
            <FieldError id="consent-reminder" message={isReminderShown && lacksConsent ? tickFirst : undefined} />
          </div>
          <PaymentMethodButtons stripe={stripe} checkout={checkout} methods={methods} mayOpen={mayOpen} />
        </div>
      )}
      {!isOpen && (
        <div className="mt-5 empty:hidden">
          <PayStatus checkout={checkout} />
        </div>
      )}
      {hasOtherMethods && <CardToggle controls={FORM_ID} isOpen={isOpen} onToggle={toggle} />}
      {(isOpen || card.wasOpened) && (
        <CardForm
          id={FORM_ID}
          stripe={stripe}
          checkout={checkout}
          holder={holder}
          isHidden={!isOpen}
          takesFocus={card.wasOpened}
          isComplete={!lacksConsent}
        >
          <div className="mt-6 space-y-4">
            {!hasOtherMethods && conditions}
            {isOpen && <PayStatus checkout={checkout} />}
            {!isPending && (
              <div>
                <Button
                  type="submit"
                  busy={paying}
                  disabled={lacksConsent || state.step === "intentUnavailable"}
                  aria-describedby={lacksConsent ? TICK_HINT_ID : undefined}
                  className="w-full"
                >
                  {label}
                </Button>
                <TickHint id={TICK_HINT_ID} required={consents} agreed={agreed} />
              </div>
            )}
          </div>
        </CardForm>
      )}
      <div className="mt-4">
        <SecureNote />
      </div>
    </div>
  );
}
