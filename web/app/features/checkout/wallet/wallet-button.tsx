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
  onLeave: () => void;
  onFail: () => void;
}

/** In the quiet look that Apple and Google allow. The window opens within the press, or browsers keep it shut. */
export function WalletButton({ wallet, mayOpen, onOpen, ...told }: WalletButtonProps) {
  const { kind, request } = wallet;
  const agree = useEffectEvent(told.onAgree);
  const leave = useEffectEvent(told.onLeave);

  useEffect(() => {
    const hearAgreed = (event: PaymentRequestPaymentMethodEvent) => agree(event);
    const hearLeft = () => leave();
    request.on("paymentmethod", hearAgreed);
    request.on("cancel", hearLeft);
    return () => {
      request.off("paymentmethod", hearAgreed);
      request.off("cancel", hearLeft);
    };
  }, [request]);

  const press = () => {
    if (!mayOpen() || request.isShowing()) return;
    onOpen();
    try {
      request.show();
    } catch {
      told.onFail();
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
