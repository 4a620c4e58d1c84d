import { useEffect, useEffectEvent, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { fetchSurvey } from "~/features/survey/survey";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { internalHref } from "~/lib/links/links";
import { localeOf } from "~/lib/locale";
import { LotusMark } from "~/ui/art/lotus";
import { Icon } from "~/ui/icon/icon";
import { Link } from "~/ui/link/link";
import { ProgressBar } from "~/ui/progress-bar/progress-bar";
import type { BlockProps } from "../registry";
import { advance, destination, isComplete, MESSAGE_MS, REDIRECT_AFTER_MS, TICK_MS } from "./progress";
import "./program-loader.css";

export default function ProgramLoader({ block }: BlockProps<"ProgramLoader">) {
  const t = useTexts();
  const progress = useProgress(block.messages.length);
  const message = useMessage(block.messages);
  useLeaving(block.redirectionUrl, isComplete(progress));
  // The next page then shows the result at once.
  useEffect(() => void fetchSurvey(), []);
  return (
    <section className="wrap grid min-h-[70vh] place-items-center py-12">
      <div className="w-full max-w-form text-center">
        <Breath />
        <h1 className="display mt-10 text-3xl">{block.title}</h1>
        <p role="status" className="mt-4 min-h-14 text-lg text-muted">
          {message && (
            <span key={message} className="block animate-enter">
              {message}
            </span>
          )}
        </p>
        <div className="mt-6 text-start">
          <ProgressBar label={t("loader.progress")} value={progress} valueText={`${progress}%`} />
        </div>
        <noscript>
          <Link
            url={block.redirectionUrl}
            className="mt-6 inline-flex min-h-11 items-center font-bold text-action underline underline-offset-4"
          >
            {t("survey.withoutWaiting")}
          </Link>
        </noscript>
      </div>
    </section>
  );
}

function Breath() {
  const t = useTexts();
  const [isPaused, setPaused] = useState(false);
  return (
    <div className="relative mx-auto w-fit" data-paused={isPaused || undefined}>
      <span className="loader-breath grid size-40 place-items-center rounded-pill bg-mist">
        <LotusMark className="h-14 w-auto text-action" />
      </span>
      <button
        type="button"
        aria-pressed={isPaused}
        aria-label={t("art.pause")}
        onClick={() => setPaused(!isPaused)}
        className="absolute -end-8 bottom-0 grid size-11 place-items-center rounded-pill text-muted transition duration-200 hover:bg-mist hover:text-action motion-reduce:hidden"
      >
        <Icon name={isPaused ? "play" : "pause"} />
      </button>
    </div>
  );
}

function useProgress(messages: number): number {
  const [progress, setProgress] = useState(0);
  const isDone = isComplete(progress);
  useEffect(() => {
    if (isDone) return;
    const timer = setInterval(() => setProgress((now) => advance(now, messages, Math.random())), TICK_MS);
    return () => clearInterval(timer);
  }, [messages, isDone]);
  return progress;
}

/** Each message is shown for three seconds per tick; the last one stays. */
function useMessage(messages: string[]): string | null {
  const [index, setIndex] = useState(0);
  const [isShown, setShown] = useState(true);
  useEffect(() => {
    if (index >= messages.length - 1) return;
    const hide = setTimeout(() => setShown(false), MESSAGE_MS);
    const next = setTimeout(() => {
      setIndex(index + 1);
      setShown(true);
    }, TICK_MS);
    return () => {
      clearTimeout(hide);
      clearTimeout(next);
    };
  }, [index, messages.length]);
  return isShown ? (messages[index] ?? null) : null;
}

/** Navigates when it is complete, replacing the history entry. */
function useLeaving(url: string, isDone: boolean): void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const leave = useEffectEvent(() => {
    const path = internalHref(url, localeOf(pathname));
    void navigate(destination(path, new URLSearchParams(search)), { replace: true });
  });
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(leave, REDIRECT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isDone]);
}
