import { useState } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/subscription";
import { SplitSection } from "~/ui/split-section/split-section";
import type { Purchase, Receipt } from "../api";
import { useAmounts, useDates, useProductName } from "../subscription-texts";
import { ReceiptDialog, type ReceiptParties } from "./receipt-dialog";
import { PaidAmount } from "./receipts";

interface PurchasesProps {
  purchases: Purchase[];
  parties: ReceiptParties;
}

/** One-time purchases with their receipts. */
export function Purchases({ purchases, parties }: PurchasesProps) {
  const t = useTexts();
  return (
    <SplitSection title={t("subscription.bought.title")}>
      <ul className="divide-y divide-hairline rounded-card bg-card px-5 shadow-rest">
        {purchases.flatMap((purchase) =>
          purchase.receipts.map((receipt) => (
            <Row key={receipt.payment_id} purchase={purchase} receipt={receipt} parties={parties} />
          )),
        )}
      </ul>
    </SplitSection>
  );
}

interface RowProps {
  purchase: Purchase;
  receipt: Receipt;
  parties: ReceiptParties;
}

function Row({ purchase, receipt, parties }: RowProps) {
  const t = useTexts();
  const date = useDates();
  const refunded = useAmounts()(purchase.refunded, receipt.currency);
  const [isOpen, setOpen] = useState(false);
  const name = useProductName()(purchase);
  const detail = t(`subscription.bought.${KINDS.find((known) => known === purchase.kind) ?? "one_time"}`);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-4">
      <div className="min-w-0 grow">
        <p className="font-semibold">
          <bdi>{name}</bdi>
        </p>
        <p className="text-sm text-muted">{detail}</p>
        {receipt.paid_at && <p className="text-sm text-muted">{date(receipt.paid_at)}</p>}
        {refunded && <p className="text-sm text-muted">{t("subscription.bought.refunded", { price: refunded })}</p>}
      </div>
      <PaidAmount receipt={receipt} onOpen={() => setOpen(true)} />
      {isOpen && (
        <ReceiptDialog
          receipt={receipt}
          name={name}
          detail={detail}
          provider={purchase.provider}
          parties={parties}
          onClose={() => setOpen(false)}
        />
      )}
    </li>
  );
}

const KINDS = ["lifetime", "trial", "addition", "gift"] as const;
