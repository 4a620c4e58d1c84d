import { type ReactNode, useEffect, useId, useRef } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/subscription";
import { Button } from "~/ui/button/button";
import type { Receipt, Subscription } from "./api";
import { planName, useAmounts, useDates, useReason } from "./in-words";

/** Who sold, line by line, and who bought. */
export interface ReceiptParties {
  seller: string | null;
  buyer: { name: string; email: string };
}

interface ReceiptDialogProps {
  receipt: Receipt;
  subscription: Subscription;
  parties: ReceiptParties;
  onClose: () => void;
}

/** One payment, to be kept: on paper it stands alone. */
export function ReceiptDialog({ receipt, subscription, parties, onClose }: ReceiptDialogProps) {
  const t = useTexts();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const date = useDates();
  const reason = useReason();
  const means = useMeans();
  const { paid_at, payment_id, currency } = receipt;
  const price = useAmounts()(receipt.amount, currency);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // Else the button at its foot is, and a small screen begins there.
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
          <Line name={t("subscription.receipt.seller")}>
            <span className="whitespace-pre-line">{parties.seller}</span>
          </Line>
        )}
        <Line name={t("subscription.receipt.buyer")}>
          <span className="block">
            <bdi>{parties.buyer.name}</bdi>
          </span>
          <span className="block font-normal">
            <bdi>{parties.buyer.email}</bdi>
          </span>
        </Line>
        {paid_at && (
          <Line name={t("subscription.receipt.paidOn")}>
            <time dateTime={paid_at}>{date(paid_at)}</time>
          </Line>
        )}
        <Line name={t("subscription.receipt.for")}>
          <span className="block">
            <bdi>{planName(subscription)}</bdi>
          </span>
          <span className="block font-normal">{reason(receipt)}</span>
        </Line>
        {price && (
          <Line name={t("subscription.receipt.amount")}>
            <span className="tabular-nums">
              {price} <bdi className="font-normal">({currency})</bdi>
            </span>
          </Line>
        )}
        <Line name={t("subscription.receipt.means")}>{means(subscription)}</Line>
        <Line name={t("subscription.receipt.number")}>
          <bdi>{payment_id}</bdi>
        </Line>
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

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 py-3 sm:grid-cols-[2fr_3fr]">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="font-semibold wrap-anywhere">{children}</dd>
    </div>
  );
}

/** Proper names, the same in every language. Which card a payment was made with is not kept: it may be another one by now. */
const PROVIDERS = { paypal: "PayPal", yookassa: "YooKassa", platron: "Platron" } as const;

function useMeans(): (subscription: Subscription) => string {
  const t = useTexts();
  return ({ provider }) => (provider === "stripe" ? t("subscription.receipt.byCard") : PROVIDERS[provider]);
}
