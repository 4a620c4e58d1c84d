import { lazy, Suspense, useEffect } from "react";
import { settleConsent, useQuestion } from "~/lib/analytics/consent";

const ConsentBar = lazy(() => import("./consent-bar"));

/** Asks whoever must be asked, and whoever wants to be asked again. Most never load the bar. */
export function Consent() {
  const question = useQuestion();
  useEffect(settleConsent, []);
  if (question === "none") return null;
  return (
    <Suspense fallback={null}>
      <ConsentBar isReopened={question === "reopened"} />
    </Suspense>
  );
}
