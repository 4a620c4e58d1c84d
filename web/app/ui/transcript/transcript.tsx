import { useTexts } from "~/lib/i18n";
import { Icon } from "../icon/icon";
import { TrustedHtml } from "../prose/trusted-html";

/** The transcript of a recording. */
export function Transcript({ html }: { html: string }) {
  const t = useTexts();
  return (
    <details className="group mt-2">
      <summary className="flex min-h-11 w-fit list-none items-center gap-2 rounded-field text-sm font-bold text-action">
        {t("player.transcript")}
        <Icon name="chevron-down" className="size-4 transition duration-200 group-open:rotate-180" />
      </summary>
      <TrustedHtml html={html} className="prose animate-enter pt-2 pb-4 text-sm text-muted" />
    </details>
  );
}
