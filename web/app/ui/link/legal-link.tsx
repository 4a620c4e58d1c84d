import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { visitorCountry } from "~/lib/country";
import { legalUrl } from "~/lib/legal";
import { localeOf } from "~/lib/locale";
import { Link, type LinkProps } from "./link";

interface LegalLinkProps extends LinkProps {
  marketingBaseUrl: string | null;
}

/** A link to terms or privacy in the version of the reader's country, which is known only once the page is alive. */
export function LegalLink({ url, marketingBaseUrl, ...link }: LegalLinkProps) {
  const locale = localeOf(useLocation().pathname);
  const [country, setCountry] = useState("");
  useEffect(() => {
    let wanted = true;
    void visitorCountry().then((known) => wanted && setCountry(known));
    return () => {
      wanted = false;
    };
  }, []);
  return <Link {...link} url={legalUrl(url, { locale, country, marketingBaseUrl })} />;
}
