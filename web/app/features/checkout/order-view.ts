import { type Locale, locales } from "~/lib/locale";
import { formatMoney, formatPercent } from "~/lib/money";
import { amountsOf, type Campaign, timelineOf } from "./offer";

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
  timeline: { today: string; lastCall: string; charge: string } | null;
}

export function viewOrder(campaign: Campaign, locale: Locale, today: Date): OrderView {
  const amounts = amountsOf(campaign);
  const timeline = timelineOf(campaign.trial_days, today);
  const saves = amounts.saving.minor > 0;
  const day = new Intl.DateTimeFormat(locales[locale].tag, { day: "numeric", month: "long" });
  return {
    dueToday: formatMoney(amounts.dueToday, locale),
    price: formatMoney(amounts.price, locale),
    list: saves ? formatMoney(amounts.list, locale) : null,
    saving: saves ? formatMoney(amounts.saving, locale) : null,
    savingRate: formatPercent(campaign.discount_rate, locale),
    periodMonths: campaign.period_months,
    trialDays: campaign.trial_days,
    timeline: timeline && {
      today: day.format(timeline.today),
      lastCall: day.format(timeline.lastCall),
      charge: day.format(timeline.charge),
    },
  };
}
