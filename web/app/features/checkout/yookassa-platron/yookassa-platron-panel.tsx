import { useState } from "react";
import { Refusal } from "~/features/payment/form/payment-messages";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Receipt } from "~/features/payment/form/receipt-email";
import type { OrderView } from "~/features/payment/order/order-view";
import type { CardHolder } from "~/lib/card";
import { Button } from "~/ui/button/button";
import { ButtonLink } from "~/ui/button/button-link";
import { buttonClass } from "~/ui/button/styles";
import { isTicked, TickHint } from "~/ui/consent-boxes/consent-boxes";
import { Icon } from "~/ui/icon/icon";
import { Notice } from "~/ui/notice/notice";
import { ConsentBoxes } from "../form/consent-boxes";
import { RenewalTerms } from "../form/renewal-terms";
import type { CheckoutState } from "../state";
import type { Agreed, Consents } from "../terms";
import type { Checkout } from "../use-checkout";
import { YookassaForm } from "./yookassa-widget";

const WHY_CLOSED = "why-not-yet";

interface RussiaPanelProps {
  checkout: Checkout;
  state: Extract<CheckoutState, { step: "elsewhere" | "inWidget" }>;
  order: OrderView;
  holder: CardHolder;
  consents: Consents;
  /** Null: YooKassa's form is not offered. */
  widgetUrl: string | null;
}

/** Cards of Russia and Belarus are taken by providers there, on a page or in a form of theirs. */
export function RussiaPanel({ checkout, state, order, holder, consents, widgetUrl }: RussiaPanelProps) {
  const t = useTexts();
  const [agreed, setAgreed] = useState<Agreed>({ terms: false, gdpr: false });
  const { redirectUrl, widgetToken } = state.pages;
  const isSold = redirectUrl !== null || (widgetToken !== null && widgetUrl !== null);
  return (
    <div className="rounded-card bg-card p-5 shadow-raised md:p-8">
      <div className="mb-6 flex items-center justify-between gap-4">
        <h2 className="display text-xl">{t("checkout.russia.title")}</h2>
        <Icon name="card" className="text-muted" />
      </div>
      {isSold && <Receipt email={holder.email} />}
      {state.step === "inWidget" && widgetToken && widgetUrl ? (
        <YookassaForm url={widgetUrl} token={widgetToken} tell={checkout.tellWidget} />
      ) : (
        <div className="mt-5 space-y-4">
          {state.step === "elsewhere" && state.fault && <Refusal fault={state.fault} />}
          {isSold && (
            <>
              {redirectUrl && <p className="text-sm text-muted">{t("checkout.russia.text")}</p>}
              <ConsentBoxes wanted={consents} given={agreed} onChange={setAgreed} />
              <RenewalTerms order={order} />
              <div>
                <Ways
                  checkout={checkout}
                  {...state.pages}
                  hasWidget={widgetUrl !== null}
                  ready={isTicked(consents, agreed)}
                />
                <TickHint id={WHY_CLOSED} wanted={consents} agreed={agreed} />
              </div>
            </>
          )}
          {state.pages.isOutOfReach && <OutOfReach onRetry={checkout.retry} />}
          {!isSold && !state.pages.isOutOfReach && !state.pages.hasSubscription && <NotSold />}
        </div>
      )}
    </div>
  );
}

interface WaysProps {
  checkout: Checkout;
  redirectUrl: string | null;
  widgetToken: string | null;
  hasWidget: boolean;
  /** What has to be agreed to is. */
  ready: boolean;
}

function Ways({ checkout, redirectUrl, widgetToken, hasWidget, ready }: WaysProps) {
  const t = useTexts();
  return (
    <div className="space-y-3">
      {redirectUrl &&
        (ready ? (
          // In this tab: the provider sends its buyer back to it.
          <a href={redirectUrl} onClick={checkout.leave} className={buttonClass({ className: "w-full" })}>
            {t("checkout.russia.redirect")}
          </a>
        ) : (
          <Button disabled aria-describedby={WHY_CLOSED} className="w-full">
            {t("checkout.russia.redirect")}
          </Button>
        ))}
      {widgetToken && hasWidget && (
        <Button
          variant={redirectUrl ? "secondary" : "primary"}
          disabled={!ready}
          aria-describedby={ready ? undefined : WHY_CLOSED}
          onClick={() => checkout.tellWidget({ type: "widgetOpened" })}
          className="w-full"
        >
          {t("checkout.russia.widget")}
        </Button>
      )}
    </div>
  );
}

function OutOfReach({ onRetry }: { onRetry: () => void }) {
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

function NotSold() {
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
