import { useEffect, useRef } from "react";
import { saveFile } from "~/lib/browser/save-file";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { Button } from "~/ui/button/button";
import { CopyButton } from "~/ui/copy-button/copy-button";
import { Icon } from "~/ui/icon/icon";

const FILE_NAME = "stillpoint-recovery-codes.txt";

interface RecoveryCodesProps {
  codes: string[];
  onKept: () => void;
}

/** The codes are shown once. `data-print`: they are printed alone. */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const t = useTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  const text = `${codes.join("\n")}\n`;
  useEffect(() => heading.current?.focus(), []);
  return (
    <div data-print="" className="animate-enter space-y-5 rounded-card bg-card p-5 shadow-raised md:p-8">
      <h3 ref={heading} tabIndex={-1} className="display text-xl outline-none">
        {t("security.codesTitle")}
      </h3>
      <p className="text-muted">{t("security.codesText")}</p>
      <ul dir="ltr" className="grid gap-x-8 gap-y-2 tabular-nums tracking-wide font-semibold xs:grid-cols-2">
        {codes.map((code) => (
          <li key={code} className="break-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3 print:hidden">
        <CopyButton text={text} label={t("security.copyCodes")} copiedLabel={t("security.copied")} />
        <Button
          variant="secondary"
          size="compact"
          onClick={() => saveFile(new File([text], FILE_NAME, { type: "text/plain" }))}
        >
          <Icon name="download" />
          {t("security.downloadCodes")}
        </Button>
        <Button variant="secondary" size="compact" onClick={() => window.print()}>
          {t("security.printCodes")}
        </Button>
      </div>
      <Button className="print:hidden" onClick={onKept}>
        {t("security.kept")}
      </Button>
    </div>
  );
}
