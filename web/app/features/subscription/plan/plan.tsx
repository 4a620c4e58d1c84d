import { useId } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/subscription";
import { Icon } from "~/ui/icon/icon";
import { StatusNotice } from "../actions/status-notice";
import { SubscriptionActions } from "../actions/subscription-actions";
import type { Subscription } from "../api";
import type { CardFormControl } from "../card/use-card-form";
import type { LoadedState } from "../state";
import { isManagedElsewhere, isOverdue, nextEvent } from "../subscription-status";
import { useBadge, useNextEventText, usePrice, useProductName } from "../subscription-texts";
import type { Subscriptions } from "../use-subscriptions";

export interface SubscriptionViewProps {
  state: LoadedState;
  subscription: Subscription;
  now: Date;
  runAction: Subscriptions["runAction"];
  card: CardFormControl;
}

/** The plan, its price, its next event and its actions. */
export function Plan(props: SubscriptionViewProps) {
  const { state, subscription, now } = props;
  const id = useId();
  const name = useProductName()(subscription);
  const price = usePrice()(subscription);
  const { notice } = state;
  const hasNotice = notice?.id === subscription.subscription_id && notice.action !== "card";
  return (
    <article aria-labelledby={id} className="rounded-card bg-card p-5 shadow-raised md:p-8">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id={id} className="display text-2xl">
          <bdi>{name}</bdi>
        </h2>
        <Badge subscription={subscription} now={now} />
      </div>
      {price && <p className="mt-1 text-lg text-muted tabular-nums">{price}</p>}
      <NextEventLine subscription={subscription} now={now} />
      <div className="mt-6 space-y-5">
        {hasNotice && <StatusNotice notice={notice} subscription={subscription} />}
        <PendingNote {...props} />
        <SubscriptionActions {...props} />
      </div>
    </article>
  );
}

const TINTS: Partial<Record<ReturnType<typeof nextEvent>["kind"], string>> = {
  overdue: "bg-danger-tint text-danger",
  needsCard: "bg-danger-tint text-danger",
  lapses: "bg-danger-tint text-danger",
  ends: "bg-warn-tint text-warn",
  paused: "bg-mist text-ink",
};

type StatusProps = Pick<SubscriptionViewProps, "subscription" | "now">;

function Badge({ subscription, now }: StatusProps) {
  const badge = useBadge();
  const tint = TINTS[nextEvent(subscription, now).kind] ?? "bg-success-tint text-success";
  return <span className={`rounded-pill px-3 py-1 text-2xs font-bold ${tint}`}>{badge(subscription, now)}</span>;
}

function NextEventLine({ subscription, now }: StatusProps) {
  const text = useNextEventText()(subscription, now);
  if (!text) return null;
  if (!isOverdue(subscription, now)) return <p className="mt-4 text-lg text-pretty">{text}</p>;
  return (
    <p className="mt-4 flex gap-3 rounded-field bg-danger-tint px-4 py-3 text-danger">
      <Icon name="alert" className="mt-0.5" />
      <span>{text}</span>
    </p>
  );
}

/** Why no action is possible now. */
function PendingNote({ state, subscription }: SubscriptionViewProps) {
  const t = useTexts();
  const { subscription_id: id, pending_change } = subscription;
  if (isManagedElsewhere(subscription)) {
    return <p className="text-sm text-muted">{t("subscription.elsewhere")}</p>;
  }
  const isNoticed = state.notice?.id === id && state.notice.kind === "open";
  return pending_change && !isNoticed ? (
    <p role="status" className="text-sm text-muted">
      {t("subscription.open")}
    </p>
  ) : null;
}
