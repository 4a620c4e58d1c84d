import { useEffect, useRef } from "react";
import { NETWORK_FAILURE, type Problem } from "~/lib/http/request";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/withdrawal";
import { Button } from "~/ui/button/button";
import { Notice } from "~/ui/notice/notice";
import { Declaration } from "./declared";
import type { Draft } from "./draft";
import type { Withdrawal } from "./use-withdrawal";

interface ReviewStepProps {
  withdrawal: Withdrawal;
  draft: Draft;
  problem: Problem | null;
  busy: boolean;
}

/** The second step, which prevents an accidental withdrawal. */
export function ReviewStep({ withdrawal, draft, problem, busy }: ReviewStepProps) {
  const t = useTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="mt-6 animate-enter">
      <h3 ref={heading} tabIndex={-1} className="text-lg font-bold outline-none">
        {t("withdrawal.reviewTitle")}
      </h3>
      <p className="mt-1 text-muted">{t("withdrawal.review")}</p>
      <Declaration draft={draft} />
      {problem && <Refusal problem={problem} />}
      <div className="mt-6 flex flex-wrap gap-3">
        <Button busy={busy} onClick={withdrawal.confirm} className="max-xs:w-full">
          {t("withdrawal.confirm")}
        </Button>
        <Button variant="quiet" disabled={busy} onClick={withdrawal.change} className="max-xs:w-full">
          {t("withdrawal.change")}
        </Button>
      </div>
    </div>
  );
}

/** A resend has the same key, so it counts once. */
function Refusal({ problem: { code, status } }: { problem: Problem }) {
  const t = useTexts();
  const text = code === NETWORK_FAILURE ? "errors.network" : status === 429 ? "errors.tooMany" : "errors.generic";
  return (
    <div className="mt-5">
      <Notice tone="danger">
        <p>{t(text)}</p>
      </Notice>
    </div>
  );
}
