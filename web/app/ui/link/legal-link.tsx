import { legalUrl } from "~/lib/links/legal";
import { Link, type LinkProps } from "./link";
import { useLegalReader } from "./use-reader";

/** A legal link for the reader's country, which is known only after hydration. */
export function LegalLink({ url, ...link }: LinkProps) {
  const reader = useLegalReader(url);
  return <Link {...link} url={legalUrl(url, reader)} />;
}
