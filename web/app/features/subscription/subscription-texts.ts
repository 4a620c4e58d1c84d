import { useLocation } from "react-router";
import { NETWORK_FAILURE, type Problem } from "~/lib/http/request";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/subscription";
import { formatMoney, fromMajor } from "~/lib/format/money";
import { localeOf, locales } from "~/lib/locale";
import type { ActionName, Receipt, Subscription } from "./api";
import type { ActionNotice } from "./state";
import { nextEvent } from "./subscription-status";

export function useDates(): (at: string) => string {
  const { tag } = locales[localeOf(useLocation().pathname)];
  const format = new Intl.DateTimeFormat(tag, { dateStyle: "long" });
  return (at) => format.format(new Date(at));
}

export function useAmounts(): (amount: number | null, currency: string | null) => string | null {
  const locale = localeOf(useLocation().pathname);
  return (amount, currency) => (amount === null || !currency ? null : formatMoney(fromMajor(amount, currency), locale));
}

/** Proper names, the same in every language. */
const PROPER_NAMES: Record<string, string> = {
  premium: "Stillpoint Premium",
  "premium-lifetime": "Stillpoint Premium",
};

const TRANSLATED = ["coaching", "therapy", "coaching-session", "therapy-session", "live-program", "gift"] as const;

/** The name of a product of `deploy/seed/campaigns/products.yaml`. */
export function useProductName(): (item: Pick<Subscription, "product">) => string {
  const t = useTexts();
  return ({ product }) => {
    const translated = TRANSLATED.find((code) => code === product);
    return translated ? t(`subscription.product.${translated}`) : (PROPER_NAMES[product] ?? "Stillpoint");
  };
}

/** The price, and the period if it is known. */
export function usePrice(): (plan: Pick<Subscription, "price" | "currency" | "period_months">) => string | null {
  const t = useTexts();
  const amount = useAmounts();
  return ({ price, currency, period_months }) => {
    const text = amount(price, currency);
    return text && period_months ? t("subscription.every", { price: text, count: period_months }) : text;
  };
}

/** The next event and its date. */
export function useNextEventText(): (subscription: Subscription, now: Date) => string | null {
  const t = useTexts();
  const date = useDates();
  const amount = useAmounts();
  const periodPrice = usePrice();
  return (subscription, now) => {
    const next = nextEvent(subscription, now);
    if (!("at" in next)) return t(`subscription.next.${next.kind}`);
    const { price, overdue, currency, scheduled_plan: plan } = subscription;
    const isChanging = next.kind === "changes" && plan;
    const cost = isChanging ? periodPrice(plan) : amount(overdue?.amount ?? price, currency);
    if (!next.at || !cost) return null;
    return t(`subscription.next.${next.kind}`, { date: date(next.at), price: cost });
  };
}

const BADGES = {
  renews: "active",
  renewing: "active",
  changes: "active",
  firstCharge: "trial",
  ends: "cancelled",
  paused: "paused",
  overdue: "overdue",
  needsCard: "overdue",
  lapses: "overdue",
  ended: "ended",
  unconfirmed: "unconfirmed",
} as const;

export function useBadge(): (subscription: Subscription, now: Date) => string {
  const t = useTexts();
  return (subscription, now) => t(`subscription.badge.${BADGES[nextEvent(subscription, now).kind]}`);
}

/** The price per period. */
export function usePriceForPeriod(): (price: number, currency: string, months: number) => string {
  const t = useTexts();
  const amount = useAmounts();
  return (price, currency, months) => t("subscription.every", { price: amount(price, currency) ?? "", count: months });
}

const REASONS = ["first", "renewal", "change"] as const;

export function useReason(): (receipt: Receipt) => string {
  const t = useTexts();
  return ({ reason }) => t(`subscription.reason.${REASONS.find((known) => known === reason) ?? "other"}`);
}

/** The text of an action's notice. */
export function useStatusMessage(): (notice: ActionNotice, subscription: Subscription | undefined) => string {
  const t = useTexts();
  const done = useDoneText();
  const refusal = useRefusalText();
  return (notice, subscription) => {
    switch (notice.kind) {
      case "done":
        return done(notice.action, subscription);
      case "refused":
        return refusal(notice.problem, notice.action);
      default:
        return t(`subscription.${notice.kind}`);
    }
  };
}

function useDoneText(): (action: ActionName, subscription: Subscription | undefined) => string {
  const t = useTexts();
  const date = useDates();
  return (action, subscription) => {
    const { cancel_at: end, paused_until: pause, scheduled_plan: plan } = subscription ?? {};
    if (action === "cancel")
      return end ? t("subscription.done.cancel", { date: date(end) }) : t("subscription.done.ended");
    if (action === "pause" && pause) return t("subscription.done.pause", { date: date(pause) });
    if (action === "plan" && plan?.starts_at) return t("subscription.done.planLater", { date: date(plan.starts_at) });
    return action === "pause" ? t("subscription.badge.paused") : t(`subscription.done.${action}`);
  };
}

const REFUSALS = [
  "SUBSCRIPTION_NOT_ACTIVE",
  "SUBSCRIPTION_ENDED",
  "SUBSCRIPTION_PAST_DUE",
  "SUBSCRIPTION_ENDING",
  "SUBSCRIPTION_PAUSED",
  "SUBSCRIPTION_ON_TRIAL",
  "PAUSE_TOO_LONG",
  "PLAN_COSTS_LESS",
  "PLAN_CHANGE_SCHEDULED",
  "PREVIEW_EXPIRED",
  "UNSUPPORTED_BY_PROVIDER",
  "CHANGE_IN_PROGRESS",
  "UNKNOWN_SUBSCRIPTION",
  "STEP_UP_REQUIRED",
] as const;

export function useRefusalText(): (problem: Problem, action: ActionName) => string {
  const t = useTexts();
  return ({ code, status }, action) => {
    const known = REFUSALS.find((one) => one === code);
    if (known) return t(`subscription.refused.${known}`);
    if (code === NETWORK_FAILURE) return t("errors.network");
    if (status === 429) return t("errors.tooMany");
    // Other refusals come from the provider; for cards, from the bank.
    const isRefused = status === 409 || status === 422;
    return isRefused && action === "card" ? t("subscription.refused.card") : t("errors.generic");
  };
}
