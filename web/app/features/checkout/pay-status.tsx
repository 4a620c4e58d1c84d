import { useEffect, useRef } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Button } from "~/ui/button/button";
import { ButtonLink } from "~/ui/button/button-link";
import { Notice } from "~/ui/notice/notice";
import { Spinner } from "~/ui/spinner/spinner";
import { BankNotice } from "./bank-notice";
import type { Fault } from "./state";
import type { Checkout } from "./use-checkout";

/** One place that says how the payment stands, announced as it changes. */
export function PayStatus({ checkout }: { checkout: Checkout }) {
  const t = useTexts();
  const { state } = checkout;
  if (state.step === "ready" && state.fault) return <Refusal fault={state.fault} />;
  if (state.step === "pending") {
    return (
      <BankNotice>
        <Button size="compact" variant="secondary" onClick={checkout.recheck}>
          {t("checkout.checkAgain")}
        </Button>
      </BankNotice>
    );
  }
  if (state.step === "blocked") return <Blocked fault={state.fault} onRetry={checkout.retry} />;
  if (state.step === "approving") return <Progress text={t("checkout.approving")} />;
  if (state.step === "paid") return <Progress text={t("checkout.paid")} />;
  if (state.step !== "paying" || state.phase === "card") return null;
  return <Progress text={t(`checkout.phase.${state.phase}`)} />;
}

/** Without a fault it is said quietly: nobody has done anything yet. */
function Blocked({ fault, onRetry }: { fault: Fault | null; onRetry: () => void }) {
  const t = useTexts();
  return (
    <div className="space-y-3">
      {fault ? <Refusal fault={fault} /> : <p className="text-sm text-muted">{t("checkout.blocked")}</p>}
      <Button size="compact" variant="secondary" onClick={onRetry}>
        {t("errors.retry")}
      </Button>
    </div>
  );
}

export function Progress({ text }: { text: string }) {
  return (
    <div role="status" className="flex items-center gap-3 rounded-field bg-mist px-4 py-3 text-sm font-semibold">
      <Spinner className="text-action" />
      {text}
    </div>
  );
}

const knownFaults = [
  "ALREADY_SUBSCRIBED",
  "ALREADY_OWNED",
  "SESSIONS_NOT_BOOKABLE",
  "CARD_NOT_IN_OFFER",
  "PAYMENT_IN_PROGRESS",
  "SB101",
  "QUOTE_EXPIRED",
  "TRIAL_ALREADY_USED",
  "UNKNOWN_PRICE",
  "UNKNOWN_COUPON",
  "NETWORK_FAILURE",
  "V100",
  "WALLET_FAILED",
  "PAYPAL_FAILED",
  "PAYPAL_ENDED",
] as const;
type KnownFault = (typeof knownFaults)[number];

/** Codes that say to a buyer what another one says. */
const ALIASES: Record<string, KnownFault> = { IDEMPOTENCY_IN_PROGRESS: "PAYMENT_IN_PROGRESS" };

function isKnown(code: string): code is KnownFault {
  return (knownFaults as readonly string[]).includes(code);
}

/** Our own codes are in capitals and have their sentence here; the provider's speak of the card, better than we could. */
function useFaultText({ code: given, message }: Fault): string {
  const t = useTexts();
  const code = ALIASES[given] ?? given;
  if (isKnown(code)) return t(`checkout.faults.${code}`);
  const ours = code === code.toUpperCase();
  return (!ours && message) || t("checkout.faults.paymentError");
}

export function Refusal({ fault }: { fault: Fault }) {
  const t = useTexts();
  const text = useFaultText(fault);
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    box.current?.scrollIntoView({ block: "nearest" });
  }, []);

  return (
    <Notice ref={box} tone="danger">
      <p>{text}</p>
      {(fault.code === "ALREADY_SUBSCRIBED" || fault.code === "PAYPAL_ENDED") && (
        <ButtonLink url="/account" size="compact" variant="secondary" className="mt-3">
          {t("checkout.toSubscription")}
        </ButtonLink>
      )}
    </Notice>
  );
}
