import type { NavigationRecordFragment, PriceBadgePartFragment } from "~/gen/graphql";
import { lightColours } from "~/styles/colours.server";
import { isSurfaceName } from "~/ui/surface/surface";
import type { Data } from "../types";

/**
 * Resolves colour tokens of content where a value is needed: to fill a shape and to compute contrast. Values are those
 * of the light scheme.
 */

function colourValue<C extends string | null>(colour: C): C | string {
  return lightColours.get(colour?.trim() ?? "") ?? colour;
}

/** Tokens that a surface supports itself follow the scheme. */
export function surfaceValue<C extends string | null>(colour: C): C | string {
  return isSurfaceName(colour?.trim() ?? "") ? colour : colourValue(colour);
}

function presentBadge<B extends PriceBadgePartFragment | null>(badge: B): B {
  return (
    badge && {
      ...badge,
      actualPriceColor: colourValue(badge.actualPriceColor),
      iconColor: colourValue(badge.iconColor),
      backgroundColor: colourValue(badge.backgroundColor),
      gradient: badge.gradient?.split(",").map(colourValue).join() ?? null,
    }
  );
}

export function presentPriceBadge(block: Data<"PriceBadge">) {
  return { ...block, badge: presentBadge(block.badge) };
}

export function presentNewYearHero(block: Data<"NewYearHero">) {
  return { ...block, priceBadge: presentBadge(block.priceBadge) };
}

export function presentSurveyLandingHero(block: Data<"SurveyLandingHero">) {
  return { ...block, priceBadge: presentBadge(block.priceBadge) };
}

export function presentCallToActionBanner(block: Data<"CallToActionBanner">) {
  return { ...block, background: colourValue(block.background) };
}

export function presentExplanationBoxes(block: Data<"ExplanationBoxes">) {
  return {
    ...block,
    boxes: block.boxes.map((box) => ({ ...box, backgroundColor: surfaceValue(box.backgroundColor) })),
  };
}

/** The header's `action` background is violet in both schemes. */
export function presentNavigation(navigation: NavigationRecordFragment): NavigationRecordFragment {
  const colour = navigation.backgroundColor?.trim() ?? null;
  return { ...navigation, backgroundColor: colour === "action" ? "violet" : surfaceValue(colour) };
}
