import { useEffect, useId, useRef } from "react";
import { Button } from "../button/button";
import { Icon, type IconName } from "../icon/icon";

type Kind = "success" | "warning" | "fail";

const styles: Record<Kind, { icon: IconName; tint: string }> = {
  success: { icon: "check", tint: "bg-success-tint text-success" },
  warning: { icon: "alert", tint: "bg-warn-tint text-warn" },
  fail: { icon: "close", tint: "bg-danger-tint text-danger" },
};

interface ConfirmDialogProps {
  kind: Kind;
  title: string;
  text?: string;
  confirmLabel: string;
  /** Only for a question. */
  cancelLabel?: string;
  onClose: (confirmed: boolean) => void;
}

/** Open while mounted. Escape declines; without a choice a click outside closes it as well. */
export function ConfirmDialog({ kind, title, text, confirmLabel, cancelLabel, onClose }: ConfirmDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const { icon, tint } = styles[kind];
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={text && `${id}-text`}
      closedby={cancelLabel ? "closerequest" : "any"}
      onClose={(event) => onClose(event.currentTarget.returnValue === "confirm")}
      className="max-h-[90dvh] w-[min(26rem,calc(100vw-2rem))] overflow-y-auto rounded-card bg-card p-6 text-center text-ink shadow-floating open:animate-enter md:p-8"
    >
      <span className={`mx-auto grid size-14 place-items-center rounded-pill ${tint}`}>
        <Icon name={icon} className="size-7" />
      </span>
      <h2 id={`${id}-title`} className="display mt-4 text-2xl">
        {title}
      </h2>
      {text && (
        <p id={`${id}-text`} className="mt-2 text-muted">
          {text}
        </p>
      )}
      <form method="dialog" className="mt-6 grid gap-3">
        <Button type="submit" value="confirm">
          {confirmLabel}
        </Button>
        {cancelLabel && (
          <Button type="submit" value="cancel" variant="quiet">
            {cancelLabel}
          </Button>
        )}
      </form>
    </dialog>
  );
}
