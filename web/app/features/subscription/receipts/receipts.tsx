import { useState } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/subscription";
import { Icon } from "~/ui/icon/icon";
import type { Receipt, Subscription } from "../api";
import { useAmounts, useDates, useProductName, useReason } from "../subscription-texts";
import { ReceiptDialog, type ReceiptParties } from "./receipt-dialog";

const VISIBLE_COUNT = 6;

interface ReceiptsProps {
  subscription: Subscription;
  parties: ReceiptParties;
}

/** Receipts of the first payment, each period and each plan change. */
export function Receipts({ subscription, parties }: ReceiptsProps) {
  const t = useTexts();
  const reason = useReason();
  const nameOf = useProductName();
  const [open, setOpen] = useState<Receipt | null>(null);
  const { receipts } = subscription;
  if (receipts.length === 0) return <p className="text-muted">{t("subscription.noReceipts")}</p>;
  const earlier = receipts.slice(VISIBLE_COUNT);
  return (
    <>
      <List receipts={receipts.slice(0, VISIBLE_COUNT)} onOpen={setOpen} />
      {earlier.length > 0 && (
        <details>
          <summary className="inline-flex min-h-11 cursor-pointer items-center rounded-field font-bold text-action">
            {t("subscription.earlier")}
          </summary>
          <List receipts={earlier} onOpen={setOpen} />
        </details>
      )}
      {open && (
        <ReceiptDialog
          receipt={open}
          name={nameOf(subscription)}
          detail={reason(open)}
          provider={subscription.provider}
          parties={parties}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

interface ListProps {
  receipts: Receipt[];
  onOpen: (receipt: Receipt) => void;
}

function List({ receipts, onOpen }: ListProps) {
  const date = useDates();
  const reason = useReason();
  return (
    <ul className="divide-y divide-hairline rounded-card bg-card px-5 shadow-rest">
      {receipts.map((receipt) => (
        <li key={receipt.payment_id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-4">
          <div className="min-w-0 grow">
            <p className="font-semibold">{receipt.paid_at && date(receipt.paid_at)}</p>
            <p className="text-sm text-muted">{reason(receipt)}</p>
          </div>
          <PaidAmount receipt={receipt} onOpen={() => onOpen(receipt)} />
        </li>
      ))}
    </ul>
  );
}

interface PaidAmountProps {
  receipt: Receipt;
  onOpen: () => void;
}

/** The amount and a button that opens the receipt. */
export function PaidAmount({ receipt, onOpen }: PaidAmountProps) {
  const t = useTexts();
  const amount = useAmounts();
  const date = useDates();
  return (
    <>
      <div className="text-end">
        <p className="font-semibold tabular-nums">{amount(receipt.amount, receipt.currency)}</p>
        <p className="inline-flex items-center gap-1.5 text-sm text-muted">
          <Icon name="check" className="size-4 text-success" />
          {t("subscription.paid")}
        </p>
      </div>
      {receipt.paid_at && (
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label={t("subscription.receipt.title", { date: date(receipt.paid_at) })}
          onClick={onOpen}
          className="ms-auto -me-2 inline-flex min-h-11 items-center rounded-field px-2 text-sm font-bold text-action underline decoration-1 underline-offset-4 hover:decoration-2"
        >
          {t("subscription.receipt.open")}
        </button>
      )}
    </>
  );
}
