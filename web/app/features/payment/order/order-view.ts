import { formatMoney, formatPercent } from "~/lib/format/money";
import { type Locale, locales } from "~/lib/locale";
import { amountsOf, type Campaign, type Timeline, timelineOf } from "../offer/offer";

/** The order as text, made in the browser because it depends on the buyer and the day. */
export interface OrderView {
  dueToday: string;
  price: string;
  /** The list price, when there is a saving. */
  list: string | null;
  saving: string | null;
  savingRate: string;
  periodMonths: number;
  trialDays: number;
  /** A lifetime purchase. */
  isOneTime: boolean;
  /** Price of a paid trial. */
  trialFee: string | null;
  timeline: { today: Day; reminder: Day; charge: Day } | null;
}

/** A day in the visitor's calendar, as text and as ISO date. */
export interface Day {
  text: string;
  iso: string;
}

export function viewOrder(campaign: Campaign, locale: Locale, today: Date): OrderView {
  const amounts = amountsOf(campaign);
  const days = timelineOf(campaign.trial_days, today);
  const saves = amounts.saving.minor > 0;
  return {
    dueToday: formatMoney(amounts.dueToday, locale),
    price: formatMoney(amounts.price, locale),
    list: saves ? formatMoney(amounts.list, locale) : null,
    saving: saves ? formatMoney(amounts.saving, locale) : null,
    savingRate: formatPercent(campaign.discount_rate, locale),
    periodMonths: campaign.period_months,
    trialDays: campaign.trial_days,
    isOneTime: campaign.kind === "lifetime",
    trialFee: amounts.trialFee && formatMoney(amounts.trialFee, locale),
    timeline: days && formatTimeline(locale, days),
  };
}

function formatTimeline(locale: Locale, { today, reminder, charge }: Timeline) {
  const day = dayFormatter(locale);
  return { today: day(today), reminder: day(reminder), charge: day(charge) };
}

function dayFormatter(locale: Locale): (at: Date) => Day {
  const texts = new Intl.DateTimeFormat(locales[locale].tag, { day: "numeric", month: "long" });
  // Swedish dates are ISO dates.
  const standard = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short" });
  return (at) => ({ text: texts.format(at), iso: standard.format(at) });
}
