import { type FormEvent, useId, useRef } from "react";
import { useLocation } from "react-router";
import { type AiText as Reply, useAiText } from "~/features/ai-text/use-ai-text";
import { type TextKey, useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { localeOf } from "~/lib/locale";
import { Button } from "~/ui/button/button";
import { controlClass } from "~/ui/field/field";
import { Icon } from "~/ui/icon/icon";
import { Notice } from "~/ui/notice/notice";
import { Picture } from "~/ui/picture/picture";
import type { BlockProps } from "../registry";
import { CrisisCard } from "./crisis-card";
import "./ai-text.css";

type AiTextBlock = BlockProps<"AiText">["block"];

const DEFAULT_TYPE = "love-language";
const LONGEST_QUESTION = 1_000;

export default function AiText({ block }: BlockProps<"AiText">) {
  const t = useTexts();
  const id = useId();
  const lang = localeOf(useLocation().pathname);
  const field = useRef<HTMLTextAreaElement>(null);
  const reply = useAiText();
  const isWriting = reply.phase === "writing";

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const q = field.current?.value.trim();
    if (!q || isWriting) return field.current?.focus();
    reply.ask({ q, lang, type: block.type ?? DEFAULT_TYPE });
  };

  return (
    <section className="wrap py-10 md:py-16">
      <div className="mx-auto max-w-text">
        <h1 className="display text-display">{block.title}</h1>
        <p className="mt-4 flex items-start gap-2 text-sm text-muted">
          <Icon name="alert" className="mt-0.5 size-4" />
          {t("ai.notice")}
        </p>
        <form method="post" onSubmit={submit} className="mt-8">
          <label htmlFor={`${id}-q`} className="mb-1.5 block font-semibold">
            {block.question ?? t("ai.question")}
          </label>
          <textarea
            ref={field}
            id={`${id}-q`}
            name="q"
            rows={3}
            maxLength={LONGEST_QUESTION}
            required
            placeholder={block.placeholder ?? undefined}
            className={`${controlClass} py-3`}
          />
          <div className="mt-4 flex flex-wrap gap-3">
            <Button type="submit" busy={isWriting} className="max-xs:w-full">
              {block.ask}
            </Button>
            {isWriting && (
              <Button variant="secondary" onClick={reply.stop}>
                <Icon name="stop" className="size-4" />
                {t("ai.stop")}
              </Button>
            )}
          </div>
        </form>
        <CrisisCard helplines={reply.helplines} />
        <Answer reply={reply} />
        <p className="mt-6 text-2xs text-muted">{t("ai.notEmergency")}</p>
      </div>
      <Bottom block={block} isFinished={reply.phase === "finished" || reply.phase === "failed"} />
    </section>
  );
}

/** Words appear as they arrive. Screen readers hear the start and the end, not each word. */
function Answer({ reply }: { reply: Reply }) {
  const t = useTexts();
  const { phase, text } = reply;
  const isWriting = phase === "writing";
  if (phase === "asking") return <p role="status" />;
  return (
    <>
      <p role="status" className="sr-only">
        {isWriting ? t("ai.writing") : phase === "finished" && t("ai.complete")}
      </p>
      <section aria-label={t("ai.reply")} className="mt-10">
        <p className="mb-3 text-2xs font-bold text-action">{t("ai.byAi")}</p>
        <div
          aria-busy={isWriting}
          dir="auto"
          className="min-h-24 rounded-card bg-card p-6 text-lg whitespace-pre-wrap shadow-rest"
        >
          {text}
          {isWriting && <span aria-hidden="true" className="ai-caret" />}
        </div>
        <div className="mt-4 space-y-4">
          {reply.isCut && <Notice tone="info">{t("ai.reconnecting")}</Notice>}
          {phase === "failed" && <Notice tone="danger">{t(whatFailed(reply))}</Notice>}
          {!isWriting && (
            <Button variant="secondary" size="compact" onClick={reply.askAgain}>
              <Icon name="refresh" className="size-4" />
              {t("ai.again")}
            </Button>
          )}
        </div>
      </section>
    </>
  );
}

function whatFailed({ isDeclined, text }: Reply): TextKey {
  if (isDeclined) return "ai.declined";
  return text ? "ai.cut" : "ai.unavailable";
}

function Bottom({ block, isFinished }: { block: AiTextBlock; isFinished: boolean }) {
  if (!isFinished || (!block.bottomTitle && !block.bottomImage)) return null;
  return (
    <div className="mx-auto mt-14 max-w-text animate-enter text-center">
      {block.bottomTitle && <h2 className="display text-3xl">{block.bottomTitle}</h2>}
      {block.bottomImage && (
        <Picture image={block.bottomImage} className="mt-6 h-auto w-full rounded-card shadow-raised" />
      )}
    </div>
  );
}
