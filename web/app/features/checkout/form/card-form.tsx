import { CardNumberElement, useElements } from "@stripe/react-stripe-js";
import type { Stripe } from "@stripe/stripe-js";
import { type FormEvent, type ReactNode, useState } from "react";
import { CardFields, type CardFieldsState, EMPTY_CARD } from "~/ui/card-fields/card-fields";
import { cardPorts } from "../pay/card-ports";
import type { PayPanelProps } from "./pay-panel";

interface CardFormProps extends Pick<PayPanelProps, "checkout" | "holder"> {
  id: string;
  stripe: Stripe;
  isHidden: boolean;
  takesFocus: boolean;
  isComplete: boolean;
  /** Content below the fields, with the button last. */
  children: ReactNode;
}

/** A hidden form keeps the typed card. */
export function CardForm({ id, stripe, checkout, holder, isHidden, takesFocus, isComplete, children }: CardFormProps) {
  const elements = useElements();
  const [card, setCard] = useState<CardFieldsState>(EMPTY_CARD);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = elements?.getElement(CardNumberElement);
    if (!element || !isComplete || checkout.state.step !== "ready") return;
    checkout.submit(cardPorts({ stripe, card: element, holder, network: card.network }));
  };

  return (
    <form id={id} onSubmit={submit} noValidate hidden={isHidden} className="mt-6">
      <CardFields
        value={card}
        takesFocus={takesFocus}
        onChange={(change) => {
          setCard(change);
          checkout.cardChanged();
        }}
      />
      {children}
    </form>
  );
}
