import { Purchase } from "../purchase";
import type { BlockProps } from "../registry";

export default function OneTimePaymentWithAdditionForm({ block }: BlockProps<"OneTimePaymentWithAdditionForm">) {
  return <Purchase {...block} />;
}
