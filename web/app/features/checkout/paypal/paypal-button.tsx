import { useEffect, useEffectEvent, useRef } from "react";
import { knownCountry, offerLanguage } from "~/lib/country";
import { localeOf } from "~/lib/locale";
import type { PaypalMethod } from "../methods/use-payment-methods";

export interface PaypalButtonProps {
  method: PaypalMethod;
  /** Written into the PayPal subscription, so that it links to this member only. */
  memberId: string;
  /** Called on press: false keeps PayPal's window closed. */
  mayOpen: () => boolean;
  onOpen: () => void;
  onApprove: (approval: string) => void;
  onCancel: () => void;
  onFail: () => void;
}

/** Member, language and country: PayPal's webhook may arrive before the page reports the approval. */
function customId(memberId: string): string {
  return [memberId, offerLanguage(localeOf(location.pathname)), knownCountry()].join(" ").trim();
}

/** PayPal reports one of approval, cancellation or error. */
export function PaypalButton({ method, memberId, ...handlers }: PaypalButtonProps) {
  const container = useRef<HTMLDivElement>(null);
  const mayOpen = useEffectEvent(handlers.mayOpen);
  const open = useEffectEvent(handlers.onOpen);
  const approve = useEffectEvent(handlers.onApprove);
  const cancel = useEffectEvent(handlers.onCancel);
  const fail = useEffectEvent(handlers.onFail);

  useEffect(() => {
    if (!container.current) return;
    const { sdk, planId } = method;
    const buttons = sdk.Buttons({
      fundingSource: sdk.FUNDING.PAYPAL,
      style: { layout: "vertical", color: "gold", shape: "pill", label: "subscribe", height: 50, tagline: false },
      onClick: (_, actions) => (mayOpen() ? actions.resolve() : actions.reject()),
      createSubscription: (_, actions) => {
        open();
        return actions.subscription.create({
          plan_id: planId,
          custom_id: customId(memberId),
          application_context: { shipping_preference: "NO_SHIPPING", user_action: "SUBSCRIBE_NOW" },
        });
      },
      onApprove: ({ subscriptionID }) => (subscriptionID ? approve(subscriptionID) : fail()),
      onCancel: () => cancel(),
      onError: () => fail(),
    });
    // If rendering fails, the card form remains.
    buttons.render(container.current).catch(() => undefined);
    return () => {
      void buttons.close().catch(() => undefined);
    };
  }, [method, memberId]);

  return <div ref={container} className="pay-way" />;
}
