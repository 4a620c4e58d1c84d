import type { Stripe } from "@stripe/stripe-js";
import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import type { Campaign } from "~/features/payment/offer/offer";
import { localeOf } from "~/lib/locale";
import { type Paypal, paypalFor } from "~/lib/payment/paypal";
import type { CheckoutTerms } from "../terms";
import { findWallet, type Wallet } from "../wallet/wallet";
import { type Availability, layoutOf, type MethodLayout } from "./payment-methods";

/** PayPal's script and the plan it sells. */
export interface PaypalMethod {
  sdk: Paypal;
  planId: string;
}

export interface PaymentMethods {
  layout: MethodLayout;
  wallet: Wallet | null;
  paypal: PaypalMethod | null;
}

/** A method that is found later is ignored: it would move content that is being read. */
const LOOKUP_TIMEOUT_MS = 4_000;

type Lookup<Method> = Method | null | "checking";

export function usePaymentMethods(
  stripe: Stripe | null,
  campaign: Campaign | null,
  terms: CheckoutTerms,
): PaymentMethods {
  const locale = localeOf(useLocation().pathname);
  const [wallet, setWallet] = useState<Lookup<Wallet>>("checking");
  const [paypal, setPaypal] = useState<Lookup<PaypalMethod>>("checking");
  const { walletLabel, paypal: paypalSettings } = terms;

  useEffect(() => {
    if (!stripe || !campaign) return;
    const found = walletLabel === null ? null : findWallet(stripe, campaign, walletLabel || campaign.product);
    return withTimeout(found, setWallet);
  }, [stripe, campaign, walletLabel]);

  useEffect(() => {
    if (!campaign) return;
    const planId = campaign.providers?.paypal?.price_id;
    const found =
      paypalSettings && planId ? findPaypal(planId, () => paypalFor(paypalSettings, campaign.currency, locale)) : null;
    return withTimeout(found, setPaypal);
  }, [campaign, paypalSettings, locale]);

  return {
    layout: layoutOf({ wallet: availabilityOf(wallet), paypal: availabilityOf(paypal) }),
    wallet: wallet === "checking" ? null : wallet,
    paypal: paypal === "checking" ? null : paypal,
  };
}

/** A failed lookup counts as unavailable; the card form remains. */
function withTimeout<Method>(lookup: Promise<Method | null> | null, set: (found: Method | null) => void): () => void {
  let isCurrent = true;
  const settle = (found: Method | null) => {
    if (isCurrent) set(found);
    isCurrent = false;
  };
  const timer = setTimeout(() => settle(null), lookup ? LOOKUP_TIMEOUT_MS : 0);
  lookup?.then(settle, () => settle(null));
  return () => {
    isCurrent = false;
    clearTimeout(timer);
  };
}

async function findPaypal(planId: string, load: () => Promise<Paypal>): Promise<PaypalMethod | null> {
  const sdk = await load();
  return sdk.Buttons({ fundingSource: sdk.FUNDING.PAYPAL }).isEligible() ? { sdk, planId } : null;
}

function availabilityOf(found: unknown): Availability {
  if (found === "checking") return "checking";
  return found ? "available" : "unavailable";
}
