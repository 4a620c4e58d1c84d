import { useEffect } from "react";
import type { ReturnState } from "./return-state";
import { usePaymentReturn } from "./use-payment-return";

interface PaymentHearingProps {
  query: URLSearchParams;
  onHeard: (state: ReturnState | null) => void;
}

/** Asks how a payment went, for a page that thanks: apart from it, because most who are thanked come from no provider's page. */
export default function PaymentHearing({ query, onHeard }: PaymentHearingProps) {
  const state = usePaymentReturn(query);
  useEffect(() => onHeard(state), [state, onHeard]);
  return null;
}
