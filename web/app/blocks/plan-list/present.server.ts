import type { PlanPartFragment } from "~/gen/graphql";
import { internalHref } from "~/lib/links/links";
import type { Locale } from "~/lib/locale";
import { surfaceValue } from "../presenting/colours.server";
import { type PriceView, presentOffer } from "../presenting/offer-view.server";
import type { Data, PageContext } from "../types";

export interface PlanView {
  title: string;
  description: string | null;
  background: string | null;
  badge: string | null;
  features: string[];
  label: string | null;
  href: string;
  action: PlanPartFragment["button"];
  price: PriceView | null;
}

export function presentPlanList(block: Data<"PlanList">, { locale }: PageContext) {
  const plans = block.plans.map((plan) => presentPlan(plan, locale));
  return { ...block, plans, preselected: preselected(plans) };
}

export function presentPlan(plan: PlanPartFragment, locale: Locale): PlanView {
  const { divider, discountedPriceSuffix, mainPriceSuffix, offer } = plan.price;
  const division = { divider, suffix: discountedPriceSuffix ?? mainPriceSuffix, listSuffix: mainPriceSuffix };
  return {
    title: plan.title,
    description: plan.description,
    background: surfaceValue(plan.background),
    badge: plan.badge,
    features: plan.features,
    label: plan.price.title,
    href: internalHref(plan.url ?? plan.button.url, locale),
    action: plan.button,
    price: offer && presentOffer(offer, division, locale),
  };
}

/** The plan with a badge, else the first. */
function preselected(plans: PlanView[]): number {
  return Math.max(
    0,
    plans.findIndex((plan) => plan.badge !== null),
  );
}
