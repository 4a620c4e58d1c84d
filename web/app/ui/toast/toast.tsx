import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useTexts } from "~/lib/i18n";
import { Icon } from "../icon/icon";
import "./toast.css";

interface ToastProps {
  onClose: () => void;
  children: ReactNode;
}

/** An error over everything, announced at once. It stays until it is closed or fixed. */
export function Toast({ onClose, children }: ToastProps) {
  const t = useTexts();
  const toast = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = toast.current;
    // Without popover support it is below dialogs.
    if (!element || !("showPopover" in element)) return;
    element.popover = "manual";
    element.showPopover();
  }, []);

  return (
    <div ref={toast} role="alert" className="toast animate-enter">
      <div className="flex items-start gap-3 py-1 ps-4 pe-1">
        <Icon name="alert" className="mt-3 text-danger" />
        <div className="min-w-0 grow py-2.5 text-sm font-semibold">{children}</div>
        <button
          type="button"
          aria-label={t("dialog.close")}
          onClick={onClose}
          className="grid size-11 shrink-0 place-items-center rounded-field text-muted hover:text-ink"
        >
          <Icon name="close" className="size-4.5" />
        </button>
      </div>
    </div>
  );
}
