import { useEffect, useId, useState } from "react";
import { useLocation, useNavigate, useRevalidator } from "react-router";
import { track } from "~/lib/analytics";
import { useQuery } from "~/lib/browser/query";
import { local } from "~/lib/browser/storage";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { internalHref } from "~/lib/links/links";
import { localeOf } from "~/lib/locale";
import { trackingOf, withTracking } from "~/lib/tracking";
import { Button } from "~/ui/button/button";
import { ConsentBoxes, isTicked, TickHint } from "~/ui/consent-boxes/consent-boxes";
import { Notice } from "~/ui/notice/notice";
import { Picture } from "~/ui/picture/picture";
import { TrustedHtml } from "~/ui/prose/trusted-html";
import type { BlockProps } from "../registry";
import { Countdown } from "./countdown";
import { OptionCards } from "./option-cards";

const ORDER_KEY = "mdOrderId";
const COUNTDOWN_SECS = 600;

export default function CampaignLanding({ block }: BlockProps<"CampaignLanding">) {
  const id = useId();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const query = useQuery();
  const [selected, setSelected] = useState(block.preselected);
  const [agreed, setAgreed] = useState({ terms: false, gdpr: false });
  const option = block.options[selected];
  const lacksConsent = !isTicked(block, agreed);

  useEffect(() => {
    const orderId = query?.get("orderid");
    if (orderId) local.set(ORDER_KEY, orderId);
  }, [query]);

  const goOn = () => {
    if (!option) return;
    if (option.eventName) track(option.eventName, { option: option.id });
    const href = internalHref(option.link, localeOf(pathname));
    void navigate(withTracking(href, trackingOf(query ?? new URLSearchParams())), { viewTransition: true });
  };

  return (
    <section className="wrap grid items-start gap-10 py-8 md:py-14 lg:grid-cols-[6fr_5fr] lg:gap-16">
      <div>
        <h1 className="display text-display">{block.title}</h1>
        {block.description && <p className="hero-lede mt-5 text-lg text-muted">{block.description}</p>}
        {block.image && (
          <Picture
            image={block.image}
            eager
            className="mt-8 aspect-4/3 w-full rounded-card object-cover max-lg:hidden"
          />
        )}
      </div>
      <div className="lg:sticky lg:top-24">
        <Countdown label={block.countdownLabel} seconds={block.countdownSecs ?? COUNTDOWN_SECS} />
        <OptionCards options={block.options} selected={selected} onSelect={setSelected} />
        <ConsentBoxes terms={block.terms} gdpr={block.gdpr} agreed={agreed} onChange={setAgreed} />
        {option?.price === null && <Unpriced />}
        <div className="sticky-bar mt-5">
          <Button
            disabled={lacksConsent || !option?.price}
            aria-describedby={lacksConsent ? `${id}-why` : undefined}
            onClick={goOn}
            className="w-full"
          >
            {block.continueLabel}
          </Button>
          <TickHint id={`${id}-why`} required={block} agreed={agreed} />
        </div>
        {block.noteHtml && <TrustedHtml html={block.noteHtml} className="prose mt-4 text-2xs text-muted" />}
      </div>
    </section>
  );
}

/** Without a price the purchase is blocked. */
function Unpriced() {
  const t = useTexts();
  const { revalidate, state } = useRevalidator();
  return (
    <div className="mt-5 space-y-3">
      <Notice tone="danger">
        <p>{t("checkout.faults.paymentError")}</p>
      </Notice>
      <Button variant="secondary" busy={state === "loading"} onClick={() => void revalidate()} className="w-full">
        {t("errors.retry")}
      </Button>
    </div>
  );
}
