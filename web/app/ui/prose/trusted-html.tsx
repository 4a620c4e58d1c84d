import { withLegalLinks } from "~/lib/legal";
import { useReader } from "../link/use-reader";

/** HTML the content service made from Markdown and sanitised when the page was published. Nothing else goes here. */
export function TrustedHtml({ html, className }: { html: string; className?: string }) {
  const shown = withLegalLinks(html, useReader(html));
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised at publication, see above.
  return <div className={className} dangerouslySetInnerHTML={{ __html: shown }} />;
}
