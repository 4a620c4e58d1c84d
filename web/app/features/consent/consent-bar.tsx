import { useEffect, useRef } from "react";
import { browserObjects, type Choice, choice, choose } from "~/lib/analytics/consent";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/consent";
import { Button } from "~/ui/button/button";
import "./consent-bar.css";

interface ConsentBarProps {
  /** Reopened by the visitor: then the bar takes the focus and returns it. */
  isReopened: boolean;
}

/** Not modal, so that reading can continue. Accept and decline have the same weight. */
export default function ConsentBar({ isReopened }: ConsentBarProps) {
  const t = useTexts();
  const bar = useRef<HTMLElement>(null);
  const opener = useRef<Element | null>(null);
  const objects = browserObjects();

  useEffect(() => {
    if (!isReopened) return;
    opener.current = document.activeElement;
    bar.current?.focus();
  }, [isReopened]);

  const answer = (given: Choice) => {
    choose(given);
    if (opener.current instanceof HTMLElement) opener.current.focus();
  };

  return (
    <section ref={bar} tabIndex={-1} aria-labelledby="consent-title" className="consent-bar">
      <div className="grow basis-80">
        <h2 id="consent-title" className="font-bold">
          {t("consent.title")}
        </h2>
        <p className="mt-1 text-sm text-muted">{t(objects ? "consent.objected" : "consent.text")}</p>
        {isReopened && !objects && <CurrentChoice />}
      </div>
      <div className="grid shrink-0 grow grid-cols-2 gap-3 md:grow-0">
        <Button variant="secondary" size="compact" onClick={() => answer("declined")}>
          {t("consent.decline")}
        </Button>
        <Button variant="secondary" size="compact" disabled={objects} onClick={() => answer("accepted")}>
          {t("consent.accept")}
        </Button>
      </div>
    </section>
  );
}

function CurrentChoice() {
  const t = useTexts();
  const given = choice();
  return given && <p className="mt-1 text-sm font-semibold">{t(`consent.now.${given}`)}</p>;
}
