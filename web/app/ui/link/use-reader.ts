import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { visitorCountry } from "~/lib/country";
import { type LegalReader, namesLegalTexts } from "~/lib/links/legal";
import { useMarketingBaseUrl } from "~/lib/links/marketing";
import { localeOf } from "~/lib/locale";

/** The reader of a text's legal links; the country is requested after hydration, and only if there are such links. */
export function useLegalReader(text: string): LegalReader {
  const locale = localeOf(useLocation().pathname);
  const marketingBaseUrl = useMarketingBaseUrl();
  const [country, setCountry] = useState("");
  const isConcerned = namesLegalTexts(text);
  useEffect(() => {
    if (!isConcerned) return;
    let isCurrent = true;
    void visitorCountry().then((known) => isCurrent && setCountry(known));
    return () => {
      isCurrent = false;
    };
  }, [isConcerned]);
  return { locale, country, marketingBaseUrl };
}
