import { lazy, Suspense, useEffect } from "react";
import { loadConsentCountry, useConsentQuestion } from "~/lib/analytics/consent";

const ConsentBar = lazy(() => import("./consent-bar"));

/** Asks whoever must be asked, and whoever wants to be asked again. Most never load the bar. */
export function Consent() {
  const question = useConsentQuestion();
  useEffect(loadConsentCountry, []);
  if (question === "none") return null;
  return (
    <Suspense fallback={null}>
      <ConsentBar isReopened={question === "reopened"} />
    </Suspense>
  );
}
