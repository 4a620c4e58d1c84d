import { internalHref } from "~/lib/links";
import type { Locale } from "~/lib/locale";
import { formatMoney, formatPercent, fromMajor, type Money, perPart } from "~/lib/money";
import type { Data, PageContext } from "../types";

type PlanData = Data<"PlanList">["plans"][number];
type OfferData = NonNullable<PlanData["price"]["offer"]>;

export interface PlanPriceView {
  /** What stands large: the price of one part, such as a month. */
  headline: string;
  headlineSuffix: string | null;
  /** The list price of the same part, where one saves. */
  list: string | null;
  saving: string | null;
  total: string;
  periodMonths: number;
  trialDays: number;
}

export interface PlanView {
  title: string;
  description: string | null;
  badge: string | null;
  features: string[];
  label: string | null;
  href: string;
  action: PlanData["button"];
  price: PlanPriceView | null;
}

export function presentPlanList(block: Data<"PlanList">, { locale }: PageContext) {
  const plans = block.plans.map(
    (plan): PlanView => ({
      title: plan.title,
      description: plan.description,
      badge: plan.badge,
      features: plan.features,
      label: plan.price.title,
      href: internalHref(plan.url ?? plan.button.url, locale),
      action: plan.button,
      price: plan.price.offer && presentPrice(plan.price, plan.price.offer, locale),
    }),
  );
  return { ...block, plans, preselected: preselected(plans) };
}

/** The plan an editor marked as the best, else the first. */
function preselected(plans: PlanView[]): number {
  return Math.max(
    0,
    plans.findIndex((plan) => plan.badge !== null),
  );
}

function presentPrice(price: PlanData["price"], offer: OfferData, locale: Locale): PlanPriceView {
  const parts = price.divider ?? 0;
  const total: Money = { minor: offer.minorPrice, currency: offer.currency, exponent: offer.exponent };
  const list = fromMajor(offer.defaultPrice, offer.currency);
  const saves = list.minor > total.minor;
  return {
    headline: formatMoney(perPart(total, parts), locale),
    headlineSuffix: price.discountedPriceSuffix ?? price.mainPriceSuffix,
    list: saves ? formatMoney(perPart(list, parts), locale) : null,
    saving: saves && offer.discountRate > 0 ? formatPercent(offer.discountRate, locale) : null,
    total: formatMoney(total, locale),
    periodMonths: offer.periodMonths,
    trialDays: offer.trialDays,
  };
}
