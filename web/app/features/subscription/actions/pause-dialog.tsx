import { useEffect, useId, useRef, useState } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/subscription";
import { Button } from "~/ui/button/button";
import { ChoiceCard, ChoiceTick } from "~/ui/choice-card/choice-card";
import type { PauseOption } from "../subscription-status";
import { useDates } from "../subscription-texts";

interface PauseDialogProps {
  pauses: PauseOption[];
  paidUntil: string | null;
  /** With the end of the pause, or null when dismissed. */
  onClose: (until: string | null) => void;
}

/** Open while mounted; the dates are computed once, on opening. */
export function PauseDialog({ pauses, paidUntil, onClose }: PauseDialogProps) {
  const t = useTexts();
  const date = useDates();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [choices] = useState(pauses);
  const [chosen, setChosen] = useState(pauses[0]);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      closedby="closerequest"
      onClose={(event) => onClose(event.currentTarget.returnValue === "confirm" ? (chosen?.until ?? null) : null)}
      className="max-h-[90dvh] w-[min(30rem,calc(100vw-2rem))] overflow-y-auto rounded-card bg-card p-6 text-start text-ink shadow-floating open:animate-enter md:p-8"
    >
      <h2 id={id} className="display text-2xl">
        {t("subscription.pause.title")}
      </h2>
      {paidUntil && <p className="mt-2 text-muted">{t("subscription.pause.text", { date: date(paidUntil) })}</p>}
      <form method="dialog" className="mt-6 grid gap-3">
        <fieldset className="grid gap-3">
          <legend className="mb-2 text-sm font-semibold">{t("subscription.pause.howLong")}</legend>
          {choices.map((pause) => (
            <ChoiceCard
              key={pause.months}
              group="pause"
              value={pause.months}
              checked={pause === chosen}
              onSelect={() => setChosen(pause)}
              className="items-center gap-4 p-4"
            >
              <ChoiceTick />
              <span>
                <span className="block font-semibold">{t("subscription.pause.months", { count: pause.months })}</span>
                <span className="block text-sm text-muted">
                  {t("subscription.pause.until", { date: date(pause.until) })}
                </span>
              </span>
            </ChoiceCard>
          ))}
        </fieldset>
        <Button type="submit" value="confirm" className="mt-3">
          {t("subscription.pause.confirm")}
        </Button>
        <Button type="submit" value="cancel" variant="quiet">
          {t("subscription.notNow")}
        </Button>
      </form>
    </dialog>
  );
}
