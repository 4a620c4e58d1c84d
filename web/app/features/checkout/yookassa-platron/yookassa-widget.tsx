import { useEffect, useEffectEvent, useId, useState } from "react";
import { PAYMENT_ERROR } from "~/features/payment/pay/fault";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { openYookassaWidget } from "~/lib/payment/yookassa";
import { Button } from "~/ui/button/button";
import { Notice } from "~/ui/notice/notice";
import type { WidgetEvent } from "../use-checkout";

interface YookassaWidgetProps {
  url: string;
  token: string;
  onEvent: (event: WidgetEvent) => void;
}

/** YooKassa's widget, in place of our form. */
export function YookassaWidget({ url, token, onEvent }: YookassaWidgetProps) {
  const t = useTexts();
  const id = useId();
  const [hasFailed, setFailed] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  const emit = useEffectEvent(onEvent);

  useEffect(() => {
    if (hasFailed) return;
    let close: (() => void) | null = null;
    let isCurrent = true;
    const opening = openYookassaWidget(url, token, id, {
      success: () => emit({ type: "widgetPaid" }),
      fail: () => emit({ type: "widgetEnded", fault: PAYMENT_ERROR }),
      broken: () => emit({ type: "widgetEnded", fault: null }),
    });
    opening.then(
      (opened) => {
        if (!isCurrent) return opened();
        close = opened;
        setLoaded(true);
      },
      () => isCurrent && setFailed(true),
    );
    return () => {
      isCurrent = false;
      close?.();
    };
  }, [url, token, id, hasFailed]);

  return (
    <section aria-label={t("checkout.russia.form")} className="mt-5 space-y-4">
      {hasFailed ? (
        <Notice tone="danger">
          <p>{t("checkout.providerMissing")}</p>
          <Button size="compact" variant="secondary" onClick={() => setFailed(false)}>
            {t("errors.retry")}
          </Button>
        </Notice>
      ) : (
        <div className="relative min-h-[40rem]" aria-busy={!isLoaded}>
          {!isLoaded && <div aria-hidden="true" className="skeleton absolute inset-0" />}
          <div id={id} className="relative" />
        </div>
      )}
      <Button variant="quiet" onClick={() => onEvent({ type: "widgetClosed" })} className="w-full">
        {t("checkout.russia.back")}
      </Button>
    </section>
  );
}
