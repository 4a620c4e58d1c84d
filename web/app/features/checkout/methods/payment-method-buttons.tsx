import type { Stripe } from "@stripe/stripe-js";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { currentUser } from "~/lib/session/session";
import { Button } from "~/ui/button/button";
import { Icon } from "~/ui/icon/icon";
import { PaypalButton } from "../paypal/paypal-button";
import type { Checkout } from "../use-checkout";
import { walletPorts } from "../wallet/wallet";
import { WalletButton } from "../wallet/wallet-button";
import type { PaymentMethods } from "./use-payment-methods";

interface PaymentMethodButtonsProps {
  stripe: Stripe;
  checkout: Checkout;
  methods: PaymentMethods;
  /** Checks the required boxes and shows a reminder when one is missing. */
  mayOpen: () => boolean;
}

/** Wallet first, then PayPal. Each opens its own window. */
export function PaymentMethodButtons({ stripe, checkout, methods, mayOpen }: PaymentMethodButtonsProps) {
  const { wallet, paypal } = methods;
  const member = currentUser();
  const mayStart = () => checkout.state.step === "ready" && mayOpen();
  return (
    <div className="space-y-3">
      {wallet && (
        <WalletButton
          wallet={wallet}
          mayOpen={mayStart}
          onOpen={checkout.requestApproval}
          onAgree={(event) => checkout.submit(walletPorts(stripe, event))}
          onCancel={checkout.cancelApproval}
          onFail={() => checkout.failApproval("WALLET_FAILED")}
        />
      )}
      {paypal && member && (
        <PaypalButton
          method={paypal}
          memberId={member.user_id}
          mayOpen={mayStart}
          onOpen={checkout.requestApproval}
          onApprove={checkout.approve}
          onCancel={checkout.cancelApproval}
          onFail={() => checkout.failApproval("PAYPAL_FAILED")}
        />
      )}
    </div>
  );
}

interface CardToggleProps {
  controls: string;
  isOpen: boolean;
  onToggle: () => void;
}

export function CardToggle({ controls, isOpen, onToggle }: CardToggleProps) {
  const t = useTexts();
  return (
    <>
      <p className="or-line my-5 text-sm text-muted">{t("checkout.orByCard")}</p>
      <Button
        variant="secondary"
        className="w-full"
        aria-expanded={isOpen}
        aria-controls={isOpen ? controls : undefined}
        onClick={onToggle}
      >
        <Icon name="card" />
        {t("checkout.continueWithCard")}
      </Button>
    </>
  );
}
