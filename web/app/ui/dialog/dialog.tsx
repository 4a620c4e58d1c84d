import { type ReactNode, useId, useRef } from "react";
import { useTexts } from "~/lib/i18n";
import { Icon } from "../icon/icon";

interface DialogProps {
  /** The text button that opens it. */
  trigger: string;
  title: string;
  children: ReactNode;
}

/** A native dialog: traps focus, closes on Escape and restores focus. */
export function Dialog({ trigger, title, children }: DialogProps) {
  const t = useTexts();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => dialog.current?.showModal()}
        className="inline-flex min-h-11 items-center gap-2 rounded-field font-bold text-action underline decoration-1 underline-offset-4 transition duration-200 hover:decoration-2"
      >
        {trigger}
      </button>
      <dialog
        ref={dialog}
        aria-labelledby={id}
        closedby="any"
        className="max-h-[90dvh] w-[min(36rem,calc(100vw-2rem))] overflow-y-auto rounded-card bg-card p-6 text-start text-ink shadow-floating open:animate-enter md:p-8"
      >
        <div className="flex items-start justify-between gap-4">
          <h2 id={id} className="display text-2xl">
            {title}
          </h2>
          <button
            type="button"
            aria-label={t("dialog.close")}
            onClick={() => dialog.current?.close()}
            className="-me-2 -mt-1.5 grid size-11 shrink-0 place-items-center rounded-pill hover:bg-mist"
          >
            <Icon name="close" />
          </button>
        </div>
        <div className="mt-4">{children}</div>
      </dialog>
    </>
  );
}
