import { useEffect } from "react";
import type { ReturnState } from "./return-state";
import { usePaymentReturn } from "./use-payment-return";

interface PaymentStatusPollerProps {
  query: URLSearchParams;
  onStatus: (state: ReturnState | null) => void;
}

/**
 * Polls the payment of a success page. In a chunk of its own, because most visitors do not come from a provider's page.
 */
export default function PaymentStatusPoller({ query, onStatus }: PaymentStatusPollerProps) {
  const state = usePaymentReturn(query);
  useEffect(() => onStatus(state), [state, onStatus]);
  return null;
}
