import { useEffect, useId, useRef, useState } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/subscription";
import { Button } from "~/ui/button/button";
import { ChoiceCard, ChoiceTick } from "~/ui/choice-card/choice-card";
import { Notice } from "~/ui/notice/notice";
import type { Plan, PlanPreview, Subscription, SubscriptionAction } from "../api";
import { nextChargeAt } from "../subscription-status";
import { useAmounts, useDates, usePriceForPeriod, useRefusalText } from "../subscription-texts";
import { type PlansState, usePlans } from "./use-plans";

interface PlanDialogProps {
  subscription: Subscription;
  /** With the previewed change, or null when dismissed. */
  onClose: (action: SubscriptionAction | null) => void;
}

/** Open while mounted. Steps: choose a plan, see its cost, confirm. */
export function PlanDialog({ subscription, onClose }: PlanDialogProps) {
  const t = useTexts();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const confirmed = useRef<SubscriptionAction | null>(null);
  const { state, retry, preview, back } = usePlans(subscription.subscription_id);
  useEffect(() => dialog.current?.showModal(), []);
  const confirm = ({ price_id, prorated_at, due_now_minor, currency }: PlanPreview) => {
    confirmed.current = { name: "plan", price_id, prorated_at, due_now_minor, currency };
    dialog.current?.close();
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      aria-busy={state.at === "loading" || state.at === "previewing" || undefined}
      closedby="closerequest"
      onClose={() => onClose(confirmed.current)}
      className="max-h-[90dvh] w-[min(30rem,calc(100vw-2rem))] overflow-y-auto rounded-card bg-card p-6 text-start text-ink shadow-floating open:animate-enter md:p-8"
    >
      <h2 id={id} className="display text-2xl">
        {t("subscription.plan.title")}
      </h2>
      <p className="mt-2 text-muted">{t("subscription.plan.text")}</p>
      <div className="mt-6 grid min-h-64 content-start gap-3">
        {state.at === "loading" && (
          <div role="status" aria-label={t("subscription.loading")} className="skeleton h-44" />
        )}
        {state.at === "failed" && <Failed state={state} onRetry={retry} />}
        {state.at === "previewed" ? (
          <Preview
            subscription={subscription}
            preview={state.preview}
            onConfirm={() => confirm(state.preview)}
            onBack={back}
          />
        ) : (
          "plans" in state &&
          state.plans && (
            <PlanChoice
              plans={state.plans}
              isScheduled={!!subscription.scheduled_plan}
              busy={state.at === "previewing"}
              onChoose={preview}
            />
          )
        )}
        <Button variant="quiet" onClick={() => dialog.current?.close()}>
          {t("subscription.notNow")}
        </Button>
      </div>
    </dialog>
  );
}

function Failed({ state, onRetry }: { state: Extract<PlansState, { at: "failed" }>; onRetry: () => void }) {
  const t = useTexts();
  const refusal = useRefusalText();
  return (
    <Notice tone="danger">
      <p>{refusal(state.problem, "plan")}</p>
      {!state.plans && (
        <Button variant="secondary" size="compact" onClick={onRetry}>
          {t("errors.retry")}
        </Button>
      )}
    </Notice>
  );
}

interface PlanChoiceProps {
  plans: Plan[];
  /** A cheaper plan is scheduled: until it is undone, dearer plans are not listed. */
  isScheduled: boolean;
  busy: boolean;
  onChoose: (plan: Plan) => void;
}

function PlanChoice({ plans, isScheduled, busy, onChoose }: PlanChoiceProps) {
  const t = useTexts();
  const every = usePriceForPeriod();
  const date = useDates();
  const others = plans.filter(({ current }) => !current);
  const [chosen, setChosen] = useState(others[0]);
  const current = plans.find((plan) => plan.current);
  return (
    <>
      {current && (
        <p className="rounded-field bg-mist px-4 py-3 text-sm">
          <span className="block text-muted">{t("subscription.plan.current")}</span>
          <span className="font-semibold">{every(current.price, current.currency, current.period_months)}</span>
        </p>
      )}
      {chosen ? (
        <>
          <fieldset className="grid gap-3">
            <legend className="mb-2 text-sm font-semibold">{t("subscription.plan.which")}</legend>
            {others.map((plan) => (
              <ChoiceCard
                key={plan.price_id}
                group="plan"
                value={plan.price_id}
                checked={plan === chosen}
                onSelect={() => setChosen(plan)}
                className="items-center gap-4 p-4"
              >
                <ChoiceTick />
                <span>
                  <span className="block font-semibold tabular-nums">
                    {every(plan.price, plan.currency, plan.period_months)}
                  </span>
                  {plan.starts_at && (
                    <span className="block text-sm text-muted">
                      {t("subscription.plan.begins", { date: date(plan.starts_at) })}
                    </span>
                  )}
                </span>
              </ChoiceCard>
            ))}
          </fieldset>
          <Button className="mt-3" busy={busy} onClick={() => onChoose(chosen)}>
            {t("subscription.plan.continue")}
          </Button>
        </>
      ) : (
        <p className="text-muted">
          {t(isScheduled ? "subscription.refused.PLAN_CHANGE_SCHEDULED" : "subscription.plan.none")}
        </p>
      )}
    </>
  );
}

interface PreviewProps {
  subscription: Subscription;
  preview: PlanPreview;
  onConfirm: () => void;
  onBack: () => void;
}

/** The cost now and later. The button repeats the amount, or the start date when nothing is due. */
function Preview({ subscription, preview, onConfirm, onBack }: PreviewProps) {
  const t = useTexts();
  const amount = useAmounts();
  const every = usePriceForPeriod();
  const date = useDates();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { due_now, then, currency, period_months, prorated_at, starts_at } = preview;
  const today = amount(due_now, currency) ?? "";
  const asOf = prorated_at ? new Date(prorated_at) : new Date();
  const from = date(starts_at ?? nextChargeAt(subscription, period_months, asOf).toISOString());
  return (
    <>
      <h3 ref={heading} tabIndex={-1} className="text-sm font-semibold outline-none">
        {t("subscription.plan.costs")}
      </h3>
      <dl className="divide-y divide-hairline rounded-field bg-mist px-4 tabular-nums">
        <Cost name={t("subscription.plan.today")} value={today} />
        <Cost name={t("subscription.plan.from", { date: from })} value={every(then, currency, period_months)} />
      </dl>
      <Button className="mt-3" onClick={onConfirm}>
        {starts_at
          ? t("subscription.plan.confirmLater", { date: from })
          : t("subscription.plan.confirm", { price: today })}
      </Button>
      <Button variant="secondary" onClick={onBack}>
        {t("subscription.plan.back")}
      </Button>
    </>
  );
}

function Cost({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4 py-3">
      <dt className="text-muted">{name}</dt>
      <dd className="font-semibold">{value}</dd>
    </div>
  );
}
