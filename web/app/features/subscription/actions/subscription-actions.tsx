import { useState } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/subscription";
import { Button } from "~/ui/button/button";
import { ConfirmDialog } from "~/ui/dialog/confirm-dialog";
import type { Subscription, Wish } from "../api";
import type { PartProps } from "../plan/plan";
import { PlanDialog } from "../plan/plan-dialog";
import { type Known, mayWish } from "../state";
import { isUnpaid, pausesOf, wishesOf } from "../subscription-status";
import { useDates } from "../subscription-texts";
import { PauseDialog } from "./pause-dialog";

type Asked = "cancel" | "pause" | "plan" | null;

/** What can be done about a plan; each of the larger things asks once more. Where it is not paid, another card comes first. */
export function Choices({ state, subscription, now, wish, card }: PartProps) {
  const [asked, setAsked] = useState<Asked>(null);
  const { subscription_id: id } = subscription;
  const takesCard = isUnpaid(subscription, now) && !card.isOpen;
  const offered = wishesOf(subscription, now).filter((name) => name !== "card" || takesCard);
  if (offered.length === 0) return null;
  const choose = (name: Wish["name"]) => {
    if (name === "cancel" || name === "pause" || name === "plan") setAsked(name);
    else if (name === "card") card.open();
    else if (name === "keep" || name === "resume" || name === "keep_plan") void wish(id, { name });
  };
  return (
    <>
      <div className="flex flex-wrap gap-3">
        {offered.map((name) => (
          <span key={name} ref={name === "card" ? card.opener : undefined} className="max-xs:w-full">
            <Choice name={name} id={id} state={state} onChoose={() => choose(name)} />
          </span>
        ))}
      </div>
      {asked === "cancel" && (
        <CancelDialog
          subscription={subscription}
          onClose={(confirmed) => {
            setAsked(null);
            if (confirmed) void wish(id, { name: "cancel" });
          }}
        />
      )}
      {asked === "plan" && (
        <PlanDialog
          subscription={subscription}
          onClose={(wanted) => {
            setAsked(null);
            if (wanted) void wish(id, wanted);
          }}
        />
      )}
      {asked === "pause" && (
        <PauseDialog
          pauses={pausesOf(subscription, now)}
          paidUntil={subscription.current_period_end}
          onClose={(until) => {
            setAsked(null);
            if (until) void wish(id, { name: "pause", until });
          }}
        />
      )}
    </>
  );
}

interface ChoiceProps {
  name: Wish["name"];
  id: string;
  state: Known;
  onChoose: () => void;
}

function Choice({ name, id, state, onChoose }: ChoiceProps) {
  const t = useTexts();
  const isPrimary = name === "keep" || name === "resume" || name === "card";
  const asks = name === "cancel" || name === "pause" || name === "plan";
  const isDoing = state.doing?.id === id && state.doing.wish === name;
  return (
    <Button
      variant={isPrimary ? "primary" : "secondary"}
      size="compact"
      className="w-full"
      busy={isDoing}
      disabled={!mayWish(state, id)}
      {...(asks && { "aria-haspopup": "dialog" as const })}
      onClick={onChoose}
    >
      {t(`subscription.wishes.${name}`)}
    </Button>
  );
}

interface CancelDialogProps {
  subscription: Subscription;
  onClose: (confirmed: boolean) => void;
}

/** The second of two clicks, which says what stays and until when. */
function CancelDialog({ subscription, onClose }: CancelDialogProps) {
  const t = useTexts();
  return (
    <ConfirmDialog
      kind="warning"
      title={t("subscription.cancel.title")}
      text={useConsequence(subscription)}
      confirmLabel={t("subscription.cancel.confirm")}
      cancelLabel={t("subscription.cancel.back")}
      onClose={onClose}
    />
  );
}

function useConsequence({ overdue, status, paused_until, current_period_end: end }: Subscription): string {
  const t = useTexts();
  const date = useDates();
  if (overdue || status === "past_due" || !end) return t("subscription.cancel.atOnce");
  return paused_until ? t("subscription.cancel.paused") : t("subscription.cancel.text", { date: date(end) });
}
