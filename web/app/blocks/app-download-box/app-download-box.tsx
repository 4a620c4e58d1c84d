import { useId, useState } from "react";
import { useCountdown } from "~/lib/browser/countdown";
import { clockText } from "~/lib/format/clock-text";
import { useTexts } from "~/lib/i18n";
import { LotusMark } from "~/ui/art/lotus";
import { Button } from "~/ui/button/button";
import { ContentButton } from "~/ui/button/content-button";
import { ConsentBoxes, isTicked, TickHint } from "~/ui/consent-boxes/consent-boxes";
import type { BlockProps } from "../registry";

const DEFAULT_SECS = 600;

export default function AppDownloadBox({ block }: BlockProps<"AppDownloadBox">) {
  const id = useId();
  const t = useTexts();
  const left = useCountdown(block.countdownSecs ?? DEFAULT_SECS);
  const [agreed, setAgreed] = useState({ terms: false, gdpr: false });
  const isAllowed = isTicked(block, agreed);
  return (
    <section className="wrap section">
      <div className="mx-auto max-w-[40rem] rounded-card bg-card p-6 shadow-raised md:p-10">
        <div className="flex items-start justify-between gap-6">
          <LotusMark className="h-10 w-auto text-action" />
          <p className="text-end text-2xs text-muted">
            {t("download.timeLeft")}
            <span role="timer" className="money display block text-2xl text-ink" dir="ltr">
              {clockText(left)}
            </span>
          </p>
        </div>
        <h2 className="display mt-4 text-3xl">{block.title}</h2>
        {block.body && <p className="mt-3 text-lg text-muted">{block.body}</p>}
        <ConsentBoxes terms={block.terms} gdpr={block.gdpr} agreed={agreed} onChange={setAgreed} />
        <div className="mt-6">
          {isAllowed ? (
            <ContentButton button={block.button} className="w-full" />
          ) : (
            <Button disabled aria-describedby={`${id}-why`} className="w-full">
              {block.button.text}
            </Button>
          )}
          <TickHint id={`${id}-why`} required={block} agreed={agreed} />
        </div>
      </div>
    </section>
  );
}
