import { type ComponentType, useEffect, useRef, useState } from "react";
import { useTexts } from "~/lib/i18n";
import type { CardHolder } from "~/lib/payment/card";
import "~/lib/i18n/subscription";
import type { StripeSettings } from "~/lib/payment/stripe";
import { Button } from "~/ui/button/button";
import { Icon } from "~/ui/icon/icon";
import { Notice } from "~/ui/notice/notice";
import { SplitSection } from "~/ui/split-section/split-section";
import { StatusNotice } from "../actions/status-notice";
import type { Subscription } from "../api";
import type { SubscriptionViewProps } from "../plan/plan";
import { mayAct } from "../state";
import { availableActions, isOverdue } from "../subscription-status";
import { useAmounts } from "../subscription-texts";
import type { CardFormProps } from "./card-form";

interface PaymentProps extends SubscriptionViewProps {
  holder: CardHolder;
  stripe: StripeSettings;
}

/** The payment card, and the form to replace it. */
export function Payment({ state, subscription, now, runAction, card, holder, stripe }: PaymentProps) {
  const t = useTexts();
  const { subscription_id: id } = subscription;
  const { notice } = state;
  const canChange = availableActions(subscription, now).includes("card");
  const save = async (paymentMethodId: string) => {
    if (await runAction(id, { name: "card", payment_method_id: paymentMethodId })) card.finish();
  };
  return (
    <SplitSection title={t("subscription.payment")}>
      {notice?.id === id && notice.action === "card" && <StatusNotice notice={notice} subscription={subscription} />}
      <Card subscription={subscription} />
      {canChange && !card.isOpen && !isOverdue(subscription, now) && (
        <span ref={card.opener} className="block">
          <Button variant="secondary" size="compact" disabled={!mayAct(state, id)} onClick={card.open}>
            {t("subscription.actions.card")}
          </Button>
        </span>
      )}
      {canChange && card.isOpen && (
        <NewCard
          holder={holder}
          stripe={stripe}
          charge={<Charge subscription={subscription} />}
          busy={state.running?.action === "card"}
          disabled={!mayAct(state, id)}
          onCard={save}
          onClose={card.leave}
        />
      )}
    </SplitSection>
  );
}

function Card({ subscription: { card_brand, card_last4 } }: { subscription: Subscription }) {
  const t = useTexts();
  if (!card_last4) return <p className="text-muted">{t("subscription.noCard")}</p>;
  const brand = brandName(card_brand);
  return (
    <p className="flex items-center gap-4 rounded-card bg-card px-5 py-4 shadow-rest">
      <Icon name="card" className="text-muted" />
      <bdi dir="ltr" aria-hidden="true" className="font-semibold tabular-nums">
        {brand} •••• {card_last4}
      </bdi>
      <span className="sr-only">{t("subscription.card", { brand, last4: card_last4 })}</span>
    </p>
  );
}

const BRANDS: Record<string, string> = {
  amex: "American Express",
  diners: "Diners Club",
  jcb: "JCB",
  unionpay: "UnionPay",
};

function brandName(brand: string | null): string {
  if (!brand) return "";
  return BRANDS[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1);
}

/** The overdue amount that the new card is charged at once. */
function Charge({ subscription: { overdue, currency } }: { subscription: Subscription }) {
  const t = useTexts();
  const price = useAmounts()(overdue?.amount ?? null, currency);
  return price ? <p className="text-sm">{t("subscription.cardPays", { price })}</p> : null;
}

type Chunk = { at: "loading" | "failed" } | { at: "loaded"; Form: ComponentType<CardFormProps> };

/** Stripe's fields load when the form is opened. */
function NewCard(props: CardFormProps) {
  const t = useTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  const [chunk, setChunk] = useState<Chunk>({ at: "loading" });
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    if (chunk.at !== "loading") return;
    let isCurrent = true;
    import("./card-form").then(
      ({ default: Form }) => isCurrent && setChunk({ at: "loaded", Form }),
      () => isCurrent && setChunk({ at: "failed" }),
    );
    return () => {
      isCurrent = false;
    };
  }, [chunk.at]);
  return (
    <div className="animate-enter rounded-card bg-card p-5 shadow-raised md:p-8">
      <h3 ref={heading} tabIndex={-1} className="display mb-5 text-xl outline-none">
        {t("subscription.newCard")}
      </h3>
      {chunk.at === "loading" && <div aria-hidden="true" className="skeleton h-72" />}
      {chunk.at === "failed" && (
        <Notice tone="danger">
          <p>{t("errors.network")}</p>
          <Button variant="secondary" size="compact" onClick={() => setChunk({ at: "loading" })}>
            {t("errors.retry")}
          </Button>
        </Notice>
      )}
      {chunk.at === "loaded" && <chunk.Form {...props} />}
    </div>
  );
}
