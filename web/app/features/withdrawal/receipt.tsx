import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/withdrawal";
import { localeOf, locales } from "~/lib/locale";
import { Button } from "~/ui/button/button";
import { Detail } from "~/ui/detail/detail";
import { SuccessTick } from "~/ui/success-tick/success-tick";
import type { WithdrawalReceipt } from "./api";
import { Declaration } from "./declared";
import type { Draft } from "./draft";

interface ReceiptProps {
  draft: Draft;
  receipt: WithdrawalReceipt;
}

/** The declaration and its time of receipt, in the reader's time zone. It can be printed. */
export function Receipt({ draft, receipt: { id, receivedAt } }: ReceiptProps) {
  const t = useTexts();
  const { tag } = locales[localeOf(useLocation().pathname)];
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const time = new Intl.DateTimeFormat(tag, {
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  });
  return (
    <section data-print="" className="animate-enter rounded-card bg-card p-5 shadow-raised md:p-8">
      <SuccessTick />
      <h2 ref={heading} tabIndex={-1} className="display mt-5 text-2xl outline-none">
        {t("withdrawal.receivedTitle")}
      </h2>
      <p className="mt-2 text-muted">{t("withdrawal.received", { email: draft.email })}</p>
      <Declaration draft={draft}>
        <Detail name={t("withdrawal.receivedAt")}>
          <time dateTime={receivedAt}>{time.format(new Date(receivedAt))}</time>
        </Detail>
        <Detail name={t("withdrawal.number")}>
          <bdi>{id}</bdi>
        </Detail>
      </Declaration>
      <div className="mt-6 print:hidden">
        <Button variant="secondary" onClick={() => window.print()} className="max-xs:w-full">
          {t("withdrawal.print")}
        </Button>
      </div>
    </section>
  );
}
