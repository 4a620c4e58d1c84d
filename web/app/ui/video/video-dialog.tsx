import { type ReactNode, useRef, useState } from "react";
import { useTexts } from "~/lib/i18n";
import { Icon } from "../icon/icon";
import { VideoFrame } from "./video-frame";

interface VideoDialogProps {
  url: string;
  title: string;
  /** Content of the button that opens it. */
  children: (open: () => void) => ReactNode;
}

/** The video is mounted only while the dialog is open: closing it stops the sound. */
export function VideoDialog({ url, title, children }: VideoDialogProps) {
  const t = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    setOpen(true);
    dialog.current?.showModal();
  };
  return (
    <>
      {children(open)}
      <dialog
        ref={dialog}
        aria-label={title}
        closedby="any"
        onClose={() => setOpen(false)}
        className="w-[min(64rem,calc(100vw-2rem))] overflow-hidden rounded-card bg-night-deep p-0 text-white shadow-floating open:animate-enter"
      >
        <div className="flex items-center justify-between gap-4 ps-6 pe-2">
          <p className="truncate py-2 font-semibold">{title}</p>
          <button
            type="button"
            aria-label={t("dialog.close")}
            onClick={() => dialog.current?.close()}
            className="on-night grid size-11 shrink-0 place-items-center rounded-pill hover:bg-white/10"
          >
            <Icon name="close" />
          </button>
        </div>
        {isOpen && <VideoFrame url={url} title={title} />}
      </dialog>
    </>
  );
}
