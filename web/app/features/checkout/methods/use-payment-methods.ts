import type { Stripe } from "@stripe/stripe-js";
import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import type { Campaign } from "~/features/payment/offer/offer";
import { localeOf } from "~/lib/locale";
import { type Paypal, paypalFor } from "~/lib/paypal";
import type { CheckoutTerms } from "../terms";
import { findWallet, type Wallet } from "../wallet/wallet";
import { type Layout, layoutOf, type Standing } from "./payment-methods";

/** PayPal as it stands on the page: its script, and what it sells there. */
export interface PaypalWay {
  sdk: Paypal;
  planId: string;
}

export interface FoundWays {
  layout: Layout;
  wallet: Wallet | null;
  paypal: PaypalWay | null;
}

/** Whoever has not answered by then is not waited for: what comes later would move what is already read. */
const PATIENCE_MS = 4_000;

type Found<Way> = Way | null | "asking";

export function useWays(stripe: Stripe | null, campaign: Campaign | null, terms: CheckoutTerms): FoundWays {
  const locale = localeOf(useLocation().pathname);
  const [wallet, setWallet] = useState<Found<Wallet>>("asking");
  const [paypal, setPaypal] = useState<Found<PaypalWay>>("asking");
  const { walletLabel, paypal: house } = terms;

  useEffect(() => {
    if (!stripe || !campaign) return;
    const found = walletLabel === null ? null : findWallet(stripe, campaign, walletLabel || campaign.product);
    return answered(found, setWallet);
  }, [stripe, campaign, walletLabel]);

  useEffect(() => {
    if (!campaign) return;
    const planId = campaign.providers?.paypal?.price_id;
    const found = house && planId ? findPaypal(planId, () => paypalFor(house, campaign.currency, locale)) : null;
    return answered(found, setPaypal);
  }, [campaign, house, locale]);

  return {
    layout: layoutOf({ wallet: standingOf(wallet), paypal: standingOf(paypal) }),
    wallet: wallet === "asking" ? null : wallet,
    paypal: paypal === "asking" ? null : paypal,
  };
}

/** Whoever fails to answer is not there: the card is. */
function answered<Way>(asked: Promise<Way | null> | null, set: (found: Way | null) => void): () => void {
  let wanted = true;
  const settle = (found: Way | null) => {
    if (wanted) set(found);
    wanted = false;
  };
  const timer = setTimeout(() => settle(null), asked ? PATIENCE_MS : 0);
  asked?.then(settle, () => settle(null));
  return () => {
    wanted = false;
    clearTimeout(timer);
  };
}

async function findPaypal(planId: string, load: () => Promise<Paypal>): Promise<PaypalWay | null> {
  const sdk = await load();
  return sdk.Buttons({ fundingSource: sdk.FUNDING.PAYPAL }).isEligible() ? { sdk, planId } : null;
}

function standingOf(found: unknown): Standing {
  if (found === "asking") return "asking";
  return found ? "here" : "absent";
}
