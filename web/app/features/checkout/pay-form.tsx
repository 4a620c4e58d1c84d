import { CardNumberElement, useElements, useStripe } from "@stripe/react-stripe-js";
import { type FormEvent, useState } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Button } from "~/ui/button/button";
import { CardFields, type CardFieldsState, NO_CARD_YET } from "~/ui/card-fields/card-fields";
import { Icon } from "~/ui/icon/icon";
import { cardPorts } from "./card-ports";
import { ConsentBoxes, isAgreed } from "./consent-boxes";
import { useOrderLabel } from "./order-label";
import type { PayPanelProps } from "./pay-panel";
import { PayStatus } from "./pay-status";
import { RenewalTerms } from "./renewal-terms";

export function PayForm({ checkout, order, holder, consents, submitLabel }: PayPanelProps) {
  const t = useTexts();
  const stripe = useStripe();
  const elements = useElements();
  const [card, setCard] = useState<CardFieldsState>(NO_CARD_YET);
  const [agreed, setAgreed] = useState({ terms: false, gdpr: false });
  const { state } = checkout;
  const paying = state.step === "paying" || state.step === "paid";
  const missing = !isAgreed(consents, agreed) || state.step === "blocked";
  const label = useOrderLabel(order, submitLabel);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = elements?.getElement(CardNumberElement);
    if (!stripe || !element || missing || paying) return;
    checkout.submit(cardPorts({ stripe, card: element, holder, network: card.network }));
  };

  return (
    <form onSubmit={submit} noValidate aria-busy={paying || undefined} className="space-y-6">
      <div className="rounded-card bg-card p-5 shadow-raised md:p-8">
        <div className="mb-6 flex items-center justify-between gap-4">
          <h2 className="display text-xl">{t("checkout.card")}</h2>
          <Icon name="card" className="text-muted" />
        </div>
        <p className="mb-5 text-sm text-muted">
          {t("checkout.payingAs")} <bdi className="font-semibold text-ink">{holder.email}</bdi>
        </p>
        <CardFields
          value={card}
          onChange={(next) => {
            setCard(next);
            checkout.cardChanged();
          }}
        />
        <ConsentBoxes wanted={consents} given={agreed} onChange={setAgreed} />
        <div className="mt-6 space-y-4">
          <RenewalTerms order={order} />
          <PayStatus checkout={checkout} />
          {state.step !== "pending" && (
            <Button type="submit" busy={paying} disabled={missing} className="w-full">
              {label}
            </Button>
          )}
          <p className="flex items-center justify-center gap-2 text-2xs text-muted">
            <Icon name="lock" className="size-4" />
            {t("checkout.secure")}
          </p>
        </div>
      </div>
    </form>
  );
}
