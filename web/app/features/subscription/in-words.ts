import { useLocation } from "react-router";
import { NETWORK_FAILURE, type Problem } from "~/lib/http/request";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/subscription";
import { localeOf, locales } from "~/lib/locale";
import { formatMoney, fromMajor } from "~/lib/money";
import type { Receipt, Subscription, WishName } from "./api";
import { nextOf } from "./standing";
import type { Said } from "./state";

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
const PRODUCTS: Record<string, string> = {
  premium: "Stillpoint Premium",
  "premium-lifetime": "Stillpoint Premium",
};

export function planName({ product }: Pick<Subscription, "product">): string {
  return PRODUCTS[product] ?? "Stillpoint";
}

/** What it costs, and how often where that is told. */
export function usePrice(): (plan: Pick<Subscription, "price" | "currency" | "period_months">) => string | null {
  const t = useTexts();
  const amount = useAmounts();
  return ({ price, currency, period_months }) => {
    const text = amount(price, currency);
    return text && period_months ? t("subscription.every", { price: text, count: period_months }) : text;
  };
}

/** What happens next, and when. */
export function useNext(): (subscription: Subscription, now: Date) => string | null {
  const t = useTexts();
  const date = useDates();
  const amount = useAmounts();
  const every = usePrice();
  return (subscription, now) => {
    const next = nextOf(subscription, now);
    if (!("at" in next)) return t(`subscription.next.${next.kind}`);
    const { price, overdue, currency, scheduled_plan: plan } = subscription;
    const isChanging = next.kind === "changes" && plan;
    const cost = isChanging ? every(plan) : amount(overdue?.amount ?? price, currency);
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
  ended: "ended",
  unconfirmed: "unconfirmed",
} as const;

export function useBadge(): (subscription: Subscription, now: Date) => string {
  const t = useTexts();
  return (subscription, now) => t(`subscription.badge.${BADGES[nextOf(subscription, now).kind]}`);
}

/** How often, and for how much. */
export function useEvery(): (price: number, currency: string, months: number) => string {
  const t = useTexts();
  const amount = useAmounts();
  return (price, currency, months) => t("subscription.every", { price: amount(price, currency) ?? "", count: months });
}

const REASONS = ["first", "renewal", "change"] as const;

export function useReason(): (receipt: Receipt) => string {
  const t = useTexts();
  return ({ reason }) => t(`subscription.reason.${REASONS.find((known) => known === reason) ?? "other"}`);
}

/** What became of a wish. */
export function useSaid(): (said: Said, subscription: Subscription | undefined) => string {
  const t = useTexts();
  const done = useDone();
  const refusal = useRefusal();
  return (said, subscription) => {
    switch (said.kind) {
      case "done":
        return done(said.wish, subscription);
      case "refused":
        return refusal(said.problem, said.wish);
      default:
        return t(`subscription.${said.kind}`);
    }
  };
}

function useDone(): (wish: WishName, subscription: Subscription | undefined) => string {
  const t = useTexts();
  const date = useDates();
  return (wish, subscription) => {
    const { cancel_at: end, paused_until: pause, scheduled_plan: plan } = subscription ?? {};
    if (wish === "cancel")
      return end ? t("subscription.done.cancel", { date: date(end) }) : t("subscription.done.ended");
    if (wish === "pause" && pause) return t("subscription.done.pause", { date: date(pause) });
    if (wish === "plan" && plan?.starts_at) return t("subscription.done.planLater", { date: date(plan.starts_at) });
    return wish === "pause" ? t("subscription.badge.paused") : t(`subscription.done.${wish}`);
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
] as const;

export function useRefusal(): (problem: Problem, wish: WishName) => string {
  const t = useTexts();
  return ({ code, status }, wish) => {
    const known = REFUSALS.find((one) => one === code);
    if (known) return t(`subscription.refused.${known}`);
    if (code === NETWORK_FAILURE) return t("errors.network");
    if (status === 429) return t("errors.tooMany");
    // Any other refusal is the provider's word, and of cards it is the bank's.
    const isRefused = status === 409 || status === 422;
    return isRefused && wish === "card" ? t("subscription.refused.card") : t("errors.generic");
  };
}
