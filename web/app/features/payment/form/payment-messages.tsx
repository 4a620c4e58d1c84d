import { useEffect, useRef } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { ButtonLink } from "~/ui/button/button-link";
import { Notice } from "~/ui/notice/notice";
import { Spinner } from "~/ui/spinner/spinner";
import { type Fault, isOwnCode } from "../pay/fault";

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

/** Codes that share the message of another code. */
const ALIASES: Record<string, KnownFault> = { IDEMPOTENCY_IN_PROGRESS: "PAYMENT_IN_PROGRESS" };

function isKnown(code: string): code is KnownFault {
  return (knownFaults as readonly string[]).includes(code);
}

/** Our own codes have a text; of a provider's code its message is shown, which is more specific. */
function useFaultText({ code: given, message }: Fault): string {
  const t = useTexts();
  const code = ALIASES[given] ?? given;
  if (isKnown(code)) return t(`checkout.faults.${code}`);
  return (!isOwnCode(code) && message) || t("checkout.faults.paymentError");
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
