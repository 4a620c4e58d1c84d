import { Purchase } from "../purchase";
import type { BlockProps } from "../registry";

export default function OneTimePaymentForm({ block }: BlockProps<"OneTimePaymentForm">) {
  return <Purchase {...block} />;
}
