import { lazy, Suspense, useEffect } from "react";
import { loadConsentCountry, useConsentQuestion } from "~/lib/analytics/consent";

const ConsentBar = lazy(() => import("./consent-bar"));

/** Shows the consent bar where the law requires it or the visitor reopens it. The bar is a lazy chunk. */
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
