import type { PaymentRequestPaymentMethodEvent } from "@stripe/stripe-js";
import { useEffect, useEffectEvent } from "react";
import { PROVIDER_NAMES } from "~/lib/social";
import { Button } from "~/ui/button/button";
import { ProviderMark } from "~/ui/provider-mark/provider-mark";
import type { Wallet } from "./wallet";

interface WalletButtonProps {
  wallet: Wallet;
  mayOpen: () => boolean;
  onOpen: () => void;
  onAgree: (event: PaymentRequestPaymentMethodEvent) => void;
  onCancel: () => void;
  onFail: () => void;
}

/**
 * The plain style that Apple and Google allow. The window opens inside the click handler; browsers block it otherwise.
 */
export function WalletButton({ wallet, mayOpen, onOpen, ...handlers }: WalletButtonProps) {
  const { kind, request } = wallet;
  const agree = useEffectEvent(handlers.onAgree);
  const cancel = useEffectEvent(handlers.onCancel);

  useEffect(() => {
    const handleAgree = (event: PaymentRequestPaymentMethodEvent) => agree(event);
    const handleCancel = () => cancel();
    request.on("paymentmethod", handleAgree);
    request.on("cancel", handleCancel);
    return () => {
      request.off("paymentmethod", handleAgree);
      request.off("cancel", handleCancel);
    };
  }, [request]);

  const press = () => {
    if (!mayOpen() || request.isShowing()) return;
    onOpen();
    try {
      request.show();
    } catch {
      handlers.onFail();
    }
  };

  return (
    <Button variant="provider" className="pay-way w-full" onClick={press}>
      <span dir="ltr" className="inline-flex items-center gap-2">
        <ProviderMark provider={kind} />
        <span>
          <span className="sr-only">{PROVIDER_NAMES[kind]} </span>Pay
        </span>
      </span>
    </Button>
  );
}
