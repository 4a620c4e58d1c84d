import { withLegalLinks } from "~/lib/links/legal";
import { useLegalReader } from "../link/use-reader";

/**
 * HTML of our own texts, or from Markdown that the content service sanitised on publishing. No other HTML is allowed.
 */
export function TrustedHtml({ html, className }: { html: string; className?: string }) {
  const shown = withLegalLinks(html, useLegalReader(html));
  // biome-ignore lint/security/noDangerouslySetInnerHtml: ours or sanitised, see above.
  return <div className={className} dangerouslySetInnerHTML={{ __html: shown }} />;
}
