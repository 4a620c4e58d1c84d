import { formatMoney, formatPercent } from "~/lib/format/money";
import { type Locale, locales } from "~/lib/locale";
import { amountsOf, type Campaign, type Timeline, timelineOf } from "../offer/offer";

/** The order as text. Made in the browser: it belongs to one person and one day. */
export interface OrderView {
  dueToday: string;
  price: string;
  /** The list price, where one saves. */
  list: string | null;
  saving: string | null;
  savingRate: string;
  periodMonths: number;
  trialDays: number;
  /** Paid once, for good. */
  isOneTime: boolean;
  /** What the trial costs, where it is not free. */
  trialFee: string | null;
  timeline: { today: Day; reminder: Day; charge: Day } | null;
}

/** A day of the visitor's calendar: in words, and as machines read it. */
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
  const words = new Intl.DateTimeFormat(locales[locale].tag, { day: "numeric", month: "long" });
  // Sweden writes dates as the standard does.
  const standard = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short" });
  return (at) => ({ text: words.format(at), iso: standard.format(at) });
}
