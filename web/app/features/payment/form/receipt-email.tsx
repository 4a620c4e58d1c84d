import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { TextBar } from "../order/skeletons";

/** The receipt's address, on a line of its own so that it takes the same space before it is known. */
export function ReceiptEmail({ email }: { email: string }) {
  const t = useTexts();
  return (
    <div className="mb-5 text-sm text-muted">
      <p>{t("checkout.payingAs")}</p>
      <p className="font-semibold wrap-anywhere text-ink">
        {email ? <bdi>{email}</bdi> : <TextBar className="w-48" />}
      </p>
    </div>
  );
}
