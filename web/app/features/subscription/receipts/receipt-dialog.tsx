import { useEffect, useId, useRef } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/subscription";
import { Button } from "~/ui/button/button";
import { Detail } from "~/ui/detail/detail";
import type { Receipt, Subscription } from "../api";
import { useAmounts, useDates } from "../subscription-texts";

/** The seller's lines and the buyer. */
export interface ReceiptParties {
  seller: string | null;
  buyer: { name: string; email: string };
}

interface ReceiptDialogProps {
  receipt: Receipt;
  /** The product. */
  name: string;
  detail: string;
  provider: Subscription["provider"];
  parties: ReceiptParties;
  onClose: () => void;
}

/** One payment as a printable receipt. */
export function ReceiptDialog({ receipt, name, detail, provider, parties, onClose }: ReceiptDialogProps) {
  const t = useTexts();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const date = useDates();
  const paymentMethodName = usePaymentMethodName();
  const { paid_at, payment_id, currency } = receipt;
  const price = useAmounts()(receipt.amount, currency);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // Otherwise the footer's button gets the focus, and a small screen scrolls there.
    heading.current?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      data-print=""
      aria-labelledby={id}
      closedby="any"
      onClose={onClose}
      className="max-h-[90dvh] w-[min(32rem,calc(100vw-2rem))] overflow-y-auto rounded-card bg-card p-6 text-start text-ink shadow-floating open:animate-enter md:p-8"
    >
      <h2 ref={heading} id={id} tabIndex={-1} className="display text-2xl outline-none">
        {t("subscription.receipt.title", { date: paid_at ? date(paid_at) : "" })}
      </h2>
      <dl className="mt-5 divide-y divide-hairline border-y border-hairline">
        {parties.seller && (
          <Detail name={t("subscription.receipt.seller")}>
            <span className="whitespace-pre-line">{parties.seller}</span>
          </Detail>
        )}
        <Detail name={t("subscription.receipt.buyer")}>
          <span className="block">
            <bdi>{parties.buyer.name}</bdi>
          </span>
          <span className="block font-normal">
            <bdi>{parties.buyer.email}</bdi>
          </span>
        </Detail>
        {paid_at && (
          <Detail name={t("subscription.receipt.paidOn")}>
            <time dateTime={paid_at}>{date(paid_at)}</time>
          </Detail>
        )}
        <Detail name={t("subscription.receipt.for")}>
          <span className="block">
            <bdi>{name}</bdi>
          </span>
          <span className="block font-normal">{detail}</span>
        </Detail>
        {price && (
          <Detail name={t("subscription.receipt.amount")}>
            <span className="tabular-nums">
              {price} <bdi className="font-normal">({currency})</bdi>
            </span>
          </Detail>
        )}
        <Detail name={t("subscription.receipt.means")}>{paymentMethodName(provider)}</Detail>
        <Detail name={t("subscription.receipt.number")}>
          <bdi>{payment_id}</bdi>
        </Detail>
      </dl>
      <div className="mt-6 flex flex-wrap gap-3 print:hidden">
        <Button size="compact" className="max-xs:w-full" onClick={() => window.print()}>
          {t("subscription.receipt.print")}
        </Button>
        <Button size="compact" variant="quiet" className="max-xs:w-full" onClick={() => dialog.current?.close()}>
          {t("dialog.close")}
        </Button>
      </div>
    </dialog>
  );
}

/** Proper names, the same in every language. The card of a payment is not shown, because it is not stored. */
const PROVIDERS = { paypal: "PayPal", yookassa: "YooKassa", platron: "Platron" } as const;

function usePaymentMethodName(): (provider: Subscription["provider"]) => string {
  const t = useTexts();
  return (provider) => (provider === "stripe" ? t("subscription.receipt.byCard") : PROVIDERS[provider]);
}
