import { useState } from "react";
import { Refusal } from "~/features/payment/form/payment-messages";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { ReceiptEmail } from "~/features/payment/form/receipt-email";
import type { OrderView } from "~/features/payment/order/order-view";
import type { CardHolder } from "~/lib/payment/card";
import { Button } from "~/ui/button/button";
import { ButtonLink } from "~/ui/button/button-link";
import { buttonClass } from "~/ui/button/styles";
import { isTicked, TickHint } from "~/ui/consent-boxes/consent-boxes";
import { Icon } from "~/ui/icon/icon";
import { Notice } from "~/ui/notice/notice";
import { ConsentBoxes } from "../form/consent-boxes";
import { RenewalTerms } from "../form/renewal-terms";
import type { CheckoutState } from "../state";
import type { AgreedConsents, Consents } from "../terms";
import type { Checkout } from "../use-checkout";
import { YookassaWidget } from "./yookassa-widget";

const TICK_HINT_ID = "why-not-yet";

interface YookassaPlatronPanelProps {
  checkout: Checkout;
  state: Extract<CheckoutState, { step: "providerChoice" | "yookassaWidget" }>;
  order: OrderView;
  holder: CardHolder;
  consents: Consents;
  /** Null: YooKassa's widget is not offered. */
  widgetUrl: string | null;
}

/** Cards of Russia and Belarus are taken by YooKassa and Platron, on their page or in a widget. */
export function YookassaPlatronPanel({
  checkout,
  state,
  order,
  holder,
  consents,
  widgetUrl,
}: YookassaPlatronPanelProps) {
  const t = useTexts();
  const [agreed, setAgreed] = useState<AgreedConsents>({ terms: false, gdpr: false });
  const { redirectUrl, widgetToken } = state.offer;
  const isAvailable = redirectUrl !== null || (widgetToken !== null && widgetUrl !== null);
  return (
    <div className="rounded-card bg-card p-5 shadow-raised md:p-8">
      <div className="mb-6 flex items-center justify-between gap-4">
        <h2 className="display text-xl">{t("checkout.russia.title")}</h2>
        <Icon name="card" className="text-muted" />
      </div>
      {isAvailable && <ReceiptEmail email={holder.email} />}
      {state.step === "yookassaWidget" && widgetToken && widgetUrl ? (
        <YookassaWidget url={widgetUrl} token={widgetToken} onEvent={checkout.onWidgetEvent} />
      ) : (
        <div className="mt-5 space-y-4">
          {state.step === "providerChoice" && state.fault && <Refusal fault={state.fault} />}
          {isAvailable && (
            <>
              {redirectUrl && <p className="text-sm text-muted">{t("checkout.russia.text")}</p>}
              <ConsentBoxes required={consents} agreed={agreed} onChange={setAgreed} />
              <RenewalTerms order={order} />
              <div>
                <ProviderButtons
                  checkout={checkout}
                  {...state.offer}
                  hasWidget={widgetUrl !== null}
                  ready={isTicked(consents, agreed)}
                />
                <TickHint id={TICK_HINT_ID} required={consents} agreed={agreed} />
              </div>
            </>
          )}
          {state.offer.isUnreachable && <ProvidersUnreachable onRetry={checkout.retry} />}
          {!isAvailable && !state.offer.isUnreachable && !state.offer.hasSubscription && <NotAvailable />}
        </div>
      )}
    </div>
  );
}

interface ProviderButtonsProps {
  checkout: Checkout;
  redirectUrl: string | null;
  widgetToken: string | null;
  hasWidget: boolean;
  /** All required boxes are ticked. */
  ready: boolean;
}

function ProviderButtons({ checkout, redirectUrl, widgetToken, hasWidget, ready }: ProviderButtonsProps) {
  const t = useTexts();
  return (
    <div className="space-y-3">
      {redirectUrl &&
        (ready ? (
          // In this tab, because the provider returns the buyer to it.
          <a href={redirectUrl} onClick={checkout.leaveForProvider} className={buttonClass({ className: "w-full" })}>
            {t("checkout.russia.redirect")}
          </a>
        ) : (
          <Button disabled aria-describedby={TICK_HINT_ID} className="w-full">
            {t("checkout.russia.redirect")}
          </Button>
        ))}
      {widgetToken && hasWidget && (
        <Button
          variant={redirectUrl ? "secondary" : "primary"}
          disabled={!ready}
          aria-describedby={ready ? undefined : TICK_HINT_ID}
          onClick={() => checkout.onWidgetEvent({ type: "widgetOpened" })}
          className="w-full"
        >
          {t("checkout.russia.widget")}
        </Button>
      )}
    </div>
  );
}

function ProvidersUnreachable({ onRetry }: { onRetry: () => void }) {
  const t = useTexts();
  return (
    <>
      <Notice tone="danger">
        <p>{t("checkout.russia.outOfReach")}</p>
      </Notice>
      <Button onClick={onRetry} className="w-full">
        {t("errors.retry")}
      </Button>
    </>
  );
}

function NotAvailable() {
  const t = useTexts();
  return (
    <>
      <Notice tone="info">
        <p>{t("checkout.russia.missing")}</p>
      </Notice>
      <ButtonLink url="/" variant="secondary" className="w-full">
        {t("checkout.seePlans")}
      </ButtonLink>
    </>
  );
}
