import { CardNumberElement, Elements, useElements, useStripe } from "@stripe/react-stripe-js";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import { type CardFault, type CardHolder, createCard } from "~/lib/payment/card";
import "~/lib/i18n/journeys";
import "~/lib/i18n/subscription";
import { localeOf } from "~/lib/locale";
import { type StripeSettings, stripeLocale } from "~/lib/payment/stripe";
import { Button } from "~/ui/button/button";
import { CardFields, EMPTY_CARD } from "~/ui/card-fields/card-fields";
import { useStripeScript } from "~/ui/card-fields/use-stripe-script";
import { Icon } from "~/ui/icon/icon";
import { Notice } from "~/ui/notice/notice";

export interface CardFormProps {
  holder: CardHolder;
  stripe: StripeSettings;
  /** The amount that is charged to the new card at once. */
  charge: ReactNode;
  /** The card is being saved. */
  busy: boolean;
  disabled: boolean;
  onCard: (paymentMethodId: string) => Promise<void>;
  onClose: () => void;
}

export default function CardForm(props: CardFormProps) {
  const t = useTexts();
  const locale = localeOf(useLocation().pathname);
  const { stripe, failed, retry } = useStripeScript(props.stripe, locale);
  if (failed) {
    return (
      <Notice tone="danger">
        <p>{t("checkout.providerMissing")}</p>
        <Button variant="secondary" size="compact" onClick={retry}>
          {t("errors.retry")}
        </Button>
      </Notice>
    );
  }
  if (!stripe) return <div aria-hidden="true" className="skeleton h-72" />;
  return (
    <Elements stripe={stripe} options={{ locale: stripeLocale(locale) }}>
      <Fields {...props} />
    </Elements>
  );
}

function Fields({ holder, charge, busy, disabled, onCard, onClose }: CardFormProps) {
  const t = useTexts();
  const stripe = useStripe();
  const elements = useElements();
  const [card, setCard] = useState(EMPTY_CARD);
  const [fault, setFault] = useState<CardFault | null>(null);
  const [checking, setChecking] = useState(false);
  const sending = useRef(false);

  const send = async () => {
    const element = elements?.getElement(CardNumberElement);
    if (!stripe || !element) return;
    setChecking(true);
    setFault(null);
    const created = await createCard(stripe, element, holder);
    setChecking(false);
    if ("error" in created) setFault(created.error);
    else await onCard(created.id);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending.current || busy || disabled) return;
    sending.current = true;
    void send().finally(() => {
      sending.current = false;
    });
  };

  return (
    <form method="post" noValidate onSubmit={submit} aria-busy={checking || busy || undefined} className="space-y-5">
      {fault && (
        <Notice tone="danger">
          <p>{fault.message ?? t("subscription.refused.card")}</p>
        </Notice>
      )}
      <CardFields
        value={card}
        onChange={(change) => {
          setCard(change);
          setFault(null);
        }}
      />
      {charge}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="compact" busy={checking || busy} disabled={disabled}>
          {t("subscription.saveCard")}
        </Button>
        <Button variant="quiet" size="compact" onClick={onClose}>
          {t("subscription.notNow")}
        </Button>
      </div>
      <p className="flex items-center gap-2 text-2xs text-muted">
        <Icon name="lock" className="size-4" />
        {t("checkout.secure")}
      </p>
    </form>
  );
}
