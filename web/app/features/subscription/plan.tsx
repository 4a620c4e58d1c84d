import { useId } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/subscription";
import { Icon } from "~/ui/icon/icon";
import type { Subscription } from "./api";
import { Choices } from "./choices";
import { planName, useBadge, useNext, usePrice } from "./in-words";
import { isManagedElsewhere, nextOf } from "./standing";
import type { Known } from "./state";
import { Told } from "./told";
import type { CardFormPlace } from "./use-card-form";
import type { Subscriptions } from "./use-subscriptions";

export interface PartProps {
  state: Known;
  subscription: Subscription;
  now: Date;
  wish: Subscriptions["wish"];
  card: CardFormPlace;
}

/** What somebody has, what it costs, what happens next, and the ways to change that. */
export function Plan(props: PartProps) {
  const { state, subscription, now } = props;
  const id = useId();
  const price = usePrice()(subscription);
  const { said } = state;
  const isTold = said?.id === subscription.subscription_id && said.wish !== "card";
  return (
    <article aria-labelledby={id} className="rounded-card bg-card p-5 shadow-raised md:p-8">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id={id} className="display text-2xl">
          <bdi>{planName(subscription)}</bdi>
        </h2>
        <Badge subscription={subscription} now={now} />
      </div>
      {price && <p className="mt-1 text-lg text-muted tabular-nums">{price}</p>}
      <Outlook subscription={subscription} now={now} />
      <div className="mt-6 space-y-5">
        {isTold && <Told said={said} subscription={subscription} />}
        <Waiting {...props} />
        <Choices {...props} />
      </div>
    </article>
  );
}

const TINTS: Partial<Record<ReturnType<typeof nextOf>["kind"], string>> = {
  overdue: "bg-danger-tint text-danger",
  needsCard: "bg-danger-tint text-danger",
  ends: "bg-warn-tint text-warn",
  paused: "bg-mist text-ink",
};

type StandingProps = Pick<PartProps, "subscription" | "now">;

function Badge({ subscription, now }: StandingProps) {
  const badge = useBadge();
  const tint = TINTS[nextOf(subscription, now).kind] ?? "bg-success-tint text-success";
  return <span className={`rounded-pill px-3 py-1 text-2xs font-bold ${tint}`}>{badge(subscription, now)}</span>;
}

function Outlook({ subscription, now }: StandingProps) {
  const text = useNext()(subscription, now);
  const { kind } = nextOf(subscription, now);
  if (!text) return null;
  if (kind !== "overdue" && kind !== "needsCard") return <p className="mt-4 text-lg text-pretty">{text}</p>;
  return (
    <p className="mt-4 flex gap-3 rounded-field bg-danger-tint px-4 py-3 text-danger">
      <Icon name="alert" className="mt-0.5" />
      <span>{text}</span>
    </p>
  );
}

/** Why nothing can be changed just now. */
function Waiting({ state, subscription }: PartProps) {
  const t = useTexts();
  const { subscription_id: id, pending_change } = subscription;
  if (isManagedElsewhere(subscription)) {
    return <p className="text-sm text-muted">{t("subscription.elsewhere")}</p>;
  }
  const isSaid = state.said?.id === id && state.said.kind === "open";
  return pending_change && !isSaid ? (
    <p role="status" className="text-sm text-muted">
      {t("subscription.open")}
    </p>
  ) : null;
}
