import { legalUrl } from "~/lib/links/legal";
import { Link, type LinkProps } from "./link";
import { useLegalReader } from "./use-reader";

/** A link to terms or privacy in the version of the reader's country, which is known only once the page is alive. */
export function LegalLink({ url, ...link }: LinkProps) {
  const reader = useLegalReader(url);
  return <Link {...link} url={legalUrl(url, reader)} />;
}
