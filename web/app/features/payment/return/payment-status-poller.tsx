import { useEffect } from "react";
import type { ReturnState } from "./return-state";
import { usePaymentReturn } from "./use-payment-return";

interface PaymentStatusPollerProps {
  query: URLSearchParams;
  onStatus: (state: ReturnState | null) => void;
}

/** Asks how a payment went, for a page that thanks: apart from it, because most who are thanked come from no provider's page. */
export default function PaymentStatusPoller({ query, onStatus }: PaymentStatusPollerProps) {
  const state = usePaymentReturn(query);
  useEffect(() => onStatus(state), [state, onStatus]);
  return null;
}
