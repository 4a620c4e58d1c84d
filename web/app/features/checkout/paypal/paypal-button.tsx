import { useEffect, useEffectEvent, useRef } from "react";
import { knownCountry, offerLanguage } from "~/lib/country";
import { localeOf } from "~/lib/locale";
import type { PaypalWay } from "../methods/use-payment-methods";

export interface PaypalButtonProps {
  way: PaypalWay;
  /** Written into the subscription: ours is linked to nobody else's. */
  memberId: string;
  /** Asked at the press: false keeps PayPal's window closed. */
  mayOpen: () => boolean;
  onOpen: () => void;
  onApprove: (approval: string) => void;
  onLeave: () => void;
  onFail: () => void;
}

/** Whose it is, in which language and country: PayPal may tell of it before this page does. */
function reference(memberId: string): string {
  return [memberId, offerLanguage(localeOf(location.pathname)), knownCountry()].join(" ").trim();
}

/** PayPal tells of an approval, of a way out, or of a fault; never of two. */
export function PaypalButton({ way, memberId, ...told }: PaypalButtonProps) {
  const place = useRef<HTMLDivElement>(null);
  const mayOpen = useEffectEvent(told.mayOpen);
  const open = useEffectEvent(told.onOpen);
  const approve = useEffectEvent(told.onApprove);
  const leave = useEffectEvent(told.onLeave);
  const fail = useEffectEvent(told.onFail);

  useEffect(() => {
    if (!place.current) return;
    const { sdk, planId } = way;
    const buttons = sdk.Buttons({
      fundingSource: sdk.FUNDING.PAYPAL,
      style: { layout: "vertical", color: "gold", shape: "pill", label: "subscribe", height: 50, tagline: false },
      onClick: (_, actions) => (mayOpen() ? actions.resolve() : actions.reject()),
      createSubscription: (_, actions) => {
        open();
        return actions.subscription.create({
          plan_id: planId,
          custom_id: reference(memberId),
          application_context: { shipping_preference: "NO_SHIPPING", user_action: "SUBSCRIBE_NOW" },
        });
      },
      onApprove: ({ subscriptionID }) => (subscriptionID ? approve(subscriptionID) : fail()),
      onCancel: () => leave(),
      onError: () => fail(),
    });
    // Where it cannot be drawn the card is below.
    buttons.render(place.current).catch(() => undefined);
    return () => {
      void buttons.close().catch(() => undefined);
    };
  }, [way, memberId]);

  return <div ref={place} className="pay-way" />;
}
