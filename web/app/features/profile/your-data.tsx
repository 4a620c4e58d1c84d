import { useState } from "react";
import { saveFile } from "~/lib/browser/save-file";
import type { Problem } from "~/lib/http/request";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { Button } from "~/ui/button/button";
import { Icon } from "~/ui/icon/icon";
import { Notice } from "~/ui/notice/notice";
import { SplitSection } from "~/ui/split-section/split-section";
import { exportData } from "./api";
import { useProblemText } from "./form-notice";

const FILE_NAME = "stillpoint-data.json";

type Step = { at: "waiting" | "collecting" | "done" } | { at: "failed"; problem: Problem };

/** Downloads all data of the member as one file. */
export function YourData() {
  const t = useTexts();
  const message = useProblemText();
  const [step, setStep] = useState<Step>({ at: "waiting" });

  const download = async () => {
    setStep({ at: "collecting" });
    const answer = await exportData();
    if (answer.ok) saveFile(new File([JSON.stringify(answer.value, null, 2)], FILE_NAME, { type: "application/json" }));
    setStep(answer.ok ? { at: "done" } : { at: "failed", problem: answer.problem });
  };

  return (
    <SplitSection title={t("profile.data.title")} text={t("profile.data.text")}>
      {step.at === "failed" && (
        <Notice tone="danger">
          <p>{message(step.problem)}</p>
        </Notice>
      )}
      {step.at === "done" && (
        <Notice tone="success">
          <p>{t("profile.data.done")}</p>
        </Notice>
      )}
      <Button variant="secondary" size="compact" busy={step.at === "collecting"} onClick={() => void download()}>
        <Icon name="download" />
        {t("profile.data.download")}
      </Button>
    </SplitSection>
  );
}
