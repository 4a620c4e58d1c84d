import { useState } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/subscription";
import { Button } from "~/ui/button/button";
import { ConfirmDialog } from "~/ui/dialog/confirm-dialog";
import type { Subscription, SubscriptionAction } from "../api";
import type { SubscriptionViewProps } from "../plan/plan";
import { PlanDialog } from "../plan/plan-dialog";
import { type LoadedState, mayAct } from "../state";
import { availableActions, isOverdue, pauseOptions } from "../subscription-status";
import { useDates } from "../subscription-texts";
import { PauseDialog } from "./pause-dialog";

type OpenDialog = "cancel" | "pause" | "plan" | null;

/** The available actions; cancel, pause and plan open a dialog. An overdue subscription offers a new card first. */
export function SubscriptionActions({ state, subscription, now, runAction, card }: SubscriptionViewProps) {
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const { subscription_id: id } = subscription;
  const takesCard = isOverdue(subscription, now) && !card.isOpen;
  const actions = availableActions(subscription, now).filter((name) => name !== "card" || takesCard);
  if (actions.length === 0) return null;
  const choose = (name: SubscriptionAction["name"]) => {
    if (name === "cancel" || name === "pause" || name === "plan") setOpenDialog(name);
    else if (name === "card") card.open();
    else if (name === "keep" || name === "resume" || name === "keep_plan") void runAction(id, { name });
  };
  return (
    <>
      <div className="flex flex-wrap gap-3">
        {actions.map((name) => (
          <span key={name} ref={name === "card" ? card.opener : undefined} className="max-xs:w-full">
            <ActionButton name={name} id={id} state={state} onChoose={() => choose(name)} />
          </span>
        ))}
      </div>
      {openDialog === "cancel" && (
        <CancelDialog
          subscription={subscription}
          onClose={(confirmed) => {
            setOpenDialog(null);
            if (confirmed) void runAction(id, { name: "cancel" });
          }}
        />
      )}
      {openDialog === "plan" && (
        <PlanDialog
          subscription={subscription}
          onClose={(wanted) => {
            setOpenDialog(null);
            if (wanted) void runAction(id, wanted);
          }}
        />
      )}
      {openDialog === "pause" && (
        <PauseDialog
          pauses={pauseOptions(subscription, now)}
          paidUntil={subscription.current_period_end}
          onClose={(until) => {
            setOpenDialog(null);
            if (until) void runAction(id, { name: "pause", until });
          }}
        />
      )}
    </>
  );
}

interface ActionButtonProps {
  name: SubscriptionAction["name"];
  id: string;
  state: LoadedState;
  onChoose: () => void;
}

function ActionButton({ name, id, state, onChoose }: ActionButtonProps) {
  const t = useTexts();
  const isPrimary = name === "keep" || name === "resume" || name === "card";
  const opensDialog = name === "cancel" || name === "pause" || name === "plan";
  const isRunning = state.running?.id === id && state.running.action === name;
  return (
    <Button
      variant={isPrimary ? "primary" : "secondary"}
      size="compact"
      className="w-full"
      busy={isRunning}
      disabled={!mayAct(state, id)}
      {...(opensDialog && { "aria-haspopup": "dialog" as const })}
      onClick={onChoose}
    >
      {t(`subscription.actions.${name}`)}
    </Button>
  );
}

interface CancelDialogProps {
  subscription: Subscription;
  onClose: (confirmed: boolean) => void;
}

/** The confirmation, which names what stays and until when. */
function CancelDialog({ subscription, onClose }: CancelDialogProps) {
  const t = useTexts();
  return (
    <ConfirmDialog
      kind="warning"
      title={t("subscription.cancel.title")}
      text={useCancelText(subscription)}
      confirmLabel={t("subscription.cancel.confirm")}
      cancelLabel={t("subscription.cancel.back")}
      onClose={onClose}
    />
  );
}

function useCancelText({ overdue, status, paused_until, current_period_end: end }: Subscription): string {
  const t = useTexts();
  const date = useDates();
  if (overdue || status === "past_due" || !end) return t("subscription.cancel.atOnce");
  return paused_until ? t("subscription.cancel.paused") : t("subscription.cancel.text", { date: date(end) });
}
