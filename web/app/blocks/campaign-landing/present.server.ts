import { consentOf } from "../presenting/consent.server";
import { type PriceView, presentOffer } from "../presenting/offer-view.server";
import type { Data, PageContext } from "../types";

type OptionData = Data<"CampaignLanding">["options"][number];

export interface OptionView {
  id: string;
  title: string;
  text: string | null;
  badge: string | null;
  link: string;
  eventName: string | null;
  price: PriceView | null;
  /** The unit of an offer's duration: months from a year on, weeks below. */
  unit: "weekly" | "monthly";
}

const MONTHS_OF_A_YEAR = 12;

export function presentCampaignLanding(block: Data<"CampaignLanding">, { locale }: PageContext) {
  const options = block.options.map(
    (option): OptionView => ({
      id: option.id,
      title: option.title,
      text: option.text,
      badge: option.badge,
      link: option.link,
      eventName: option.eventName,
      price:
        option.offer && presentOffer(option.offer, { divider: option.divider, suffix: option.perDaySuffix }, locale),
      unit: (option.offer?.periodMonths ?? 0) < MONTHS_OF_A_YEAR ? "weekly" : "monthly",
    }),
  );
  return {
    __typename: block.__typename,
    id: block.id,
    title: block.title,
    description: block.description,
    image: block.image,
    countdownLabel: block.countdownLabel,
    countdownSecs: block.countdownSecs,
    continueLabel: block.continueLabel,
    noteHtml: block.noteHtml,
    options,
    preselected: preselected(block.options, block.defaultOptionId),
    terms: consentOf(block.termsAndConditionsCheckbox, block.termsAndConditionsTextHtml),
    gdpr: consentOf(block.gdprCheckbox, block.gdprTextHtml),
  };
}

function preselected(options: OptionData[], requestedCode: string | null): number {
  return Math.max(
    0,
    options.findIndex((option) => option.id === requestedCode),
  );
}
