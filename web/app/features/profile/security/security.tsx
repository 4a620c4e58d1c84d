import { useEffect, useRef, useState } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { Button } from "~/ui/button/button";
import { ConfirmDialog } from "~/ui/dialog/confirm-dialog";
import { Icon } from "~/ui/icon/icon";
import { Notice } from "~/ui/notice/notice";
import { SplitSection } from "~/ui/split-section/split-section";
import { useProblemText } from "../form-notice";
import type { SecondFactor as Settings } from "./api";
import { Enrolment } from "./enrolment";
import { RecoveryCodes } from "./recovery-codes";
import { type SecondFactor, useSecondFactor } from "./use-second-factor";

/** Two-step sign-in: its state, enrolment and recovery codes. */
export function Security() {
  const t = useTexts();
  const factor = useSecondFactor();
  return (
    <SplitSection title={t("security.title")} text={t("security.text")}>
      <SecurityNotice factor={factor} />
      <Step factor={factor} />
    </SplitSection>
  );
}

function Step({ factor }: { factor: SecondFactor }) {
  const { step, settings, problem } = factor;
  if (step.at === "enrolling") {
    return <Enrolment enrolment={step.enrolment} onConfirmed={factor.confirmed} onCancel={factor.finish} />;
  }
  if (step.at === "codes") return <RecoveryCodes codes={step.codes} onKept={factor.finish} />;
  if (settings) return <Overview settings={settings} factor={factor} />;
  return problem ? null : <div aria-hidden="true" className="skeleton h-19" />;
}

/** Takes the focus, because the pressed button may be gone. */
function SecurityNotice({ factor: { problem, done, step, settings, finish } }: { factor: SecondFactor }) {
  const t = useTexts();
  const message = useProblemText();
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (done) element.current?.focus();
  }, [done]);
  if (problem) {
    return (
      <Notice tone="danger">
        <p>{problem.code === "SECOND_FACTOR_REQUIRED" ? t("security.required") : message(problem)}</p>
        {!settings && (
          <Button variant="secondary" size="compact" onClick={finish}>
            {t("errors.retry")}
          </Button>
        )}
      </Notice>
    );
  }
  if (!done || (done === "turnedOn" && step.at === "overview")) return null;
  return (
    <Notice key={done} ref={element} tone="success">
      <p>{t(`security.${done}`)}</p>
    </Notice>
  );
}

interface OverviewProps {
  settings: Settings;
  factor: SecondFactor;
}

function Overview({ settings, factor }: OverviewProps) {
  const t = useTexts();
  const { enabled, required, recovery_codes_left: left } = settings;
  const state = useRef<HTMLParagraphElement>(null);
  const { hasReturned } = factor;
  useEffect(() => {
    if (hasReturned) state.current?.focus();
  }, [hasReturned]);
  return (
    <>
      <p
        ref={state}
        tabIndex={-1}
        className="flex items-center gap-4 rounded-card bg-card px-5 py-4 shadow-rest outline-none"
      >
        <span className="grid size-11 shrink-0 place-items-center rounded-pill bg-mist text-action">
          <Icon name={enabled ? "lock" : "unlock"} />
        </span>
        <span className="min-w-0 grow">
          <span className="block font-semibold">{t(enabled ? "security.on" : "security.off")}</span>
          {enabled && <span className="block text-sm text-muted">{t("security.left", { left })}</span>}
        </span>
      </p>
      {required && <p className="text-sm text-muted">{t("security.required")}</p>}
      <div className="flex flex-wrap gap-3">
        {enabled ? (
          <EnabledActions factor={factor} canTurnOff={!required} />
        ) : (
          <Button variant="secondary" size="compact" busy={factor.running === "enrol"} onClick={factor.enrol}>
            {t("security.turnOn")}
          </Button>
        )}
      </div>
    </>
  );
}

function EnabledActions({ factor, canTurnOff }: { factor: SecondFactor; canTurnOff: boolean }) {
  const t = useTexts();
  const [asking, setAsking] = useState(false);
  const decided = (confirmed: boolean) => {
    setAsking(false);
    if (confirmed) factor.turnOff();
  };
  return (
    <>
      <Button variant="secondary" size="compact" busy={factor.running === "renew"} onClick={factor.renew}>
        {t("security.renew")}
      </Button>
      {canTurnOff && (
        <Button
          variant="quiet"
          size="compact"
          busy={factor.running === "turnOff"}
          aria-haspopup="dialog"
          onClick={() => setAsking(true)}
        >
          {t("security.turnOff")}
        </Button>
      )}
      {asking && (
        <ConfirmDialog
          kind="warning"
          title={t("security.turnOffTitle")}
          text={t("security.turnOffText")}
          confirmLabel={t("security.turnOff")}
          cancelLabel={t("profile.cancel")}
          onClose={decided}
        />
      )}
    </>
  );
}
