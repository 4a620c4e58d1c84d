import { useEffect, useEffectEvent, useId, useState } from "react";
import { PAYMENT_ERROR } from "~/features/payment/pay/fault";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { openYookassa } from "~/lib/yookassa";
import { Button } from "~/ui/button/button";
import { Notice } from "~/ui/notice/notice";
import type { WidgetEvent } from "../use-checkout";

interface YookassaFormProps {
  url: string;
  token: string;
  tell: (event: WidgetEvent) => void;
}

/** YooKassa's own form, in place of ours. */
export function YookassaForm({ url, token, tell }: YookassaFormProps) {
  const t = useTexts();
  const id = useId();
  const [isMissing, setMissing] = useState(false);
  const [isHere, setHere] = useState(false);
  const told = useEffectEvent(tell);

  useEffect(() => {
    if (isMissing) return;
    let close: (() => void) | null = null;
    let wanted = true;
    const opening = openYookassa(url, token, id, {
      success: () => told({ type: "widgetPaid" }),
      fail: () => told({ type: "widgetEnded", fault: PAYMENT_ERROR }),
      broken: () => told({ type: "widgetEnded", fault: null }),
    });
    opening.then(
      (opened) => {
        if (!wanted) return opened();
        close = opened;
        setHere(true);
      },
      () => wanted && setMissing(true),
    );
    return () => {
      wanted = false;
      close?.();
    };
  }, [url, token, id, isMissing]);

  return (
    <section aria-label={t("checkout.russia.form")} className="mt-5 space-y-4">
      {isMissing ? (
        <Notice tone="danger">
          <p>{t("checkout.providerMissing")}</p>
          <Button size="compact" variant="secondary" onClick={() => setMissing(false)}>
            {t("errors.retry")}
          </Button>
        </Notice>
      ) : (
        <div className="relative min-h-[40rem]" aria-busy={!isHere}>
          {!isHere && <div aria-hidden="true" className="skeleton absolute inset-0" />}
          <div id={id} className="relative" />
        </div>
      )}
      <Button variant="quiet" onClick={() => tell({ type: "widgetClosed" })} className="w-full">
        {t("checkout.russia.back")}
      </Button>
    </section>
  );
}
