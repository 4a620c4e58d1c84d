import { useState } from "react";
import { useQuery } from "~/lib/browser/query";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Button } from "~/ui/button/button";
import { ContentButton } from "~/ui/button/content-button";
import { controlClass } from "~/ui/field/field";
import { Icon } from "~/ui/icon/icon";
import { Notice } from "~/ui/notice/notice";
import type { BlockProps } from "../registry";
import { useGiftLink } from "./gift-link";

/** YooKassa's return URL names the provider and contains no link: the payment is not confirmed yet. */
const WITHOUT_RESULT = "yookassa";

/** The page can also be opened after a failed payment or by strangers, so the card is confirmed first. */
export default function GiftSuccess({ block }: BlockProps<"GiftSuccess">) {
  const t = useTexts();
  const link = useGiftLink();
  const isWaiting = useQuery()?.get("paymentMethod") === WITHOUT_RESULT;
  return (
    <section className="wrap py-12 text-center md:py-20">
      <div className="mx-auto max-w-text">
        {link ? (
          <>
            <span className="success-tick mx-auto grid size-16 place-items-center rounded-pill bg-success-tint text-success">
              <Icon name="check" className="size-8" />
            </span>
            <h1 className="display mt-8 text-display">{block.title}</h1>
            {block.body && <p className="mt-5 text-lg text-balance text-muted">{block.body}</p>}
          </>
        ) : (
          <h1 className="display mt-24 text-display">{t("gift.title")}</h1>
        )}
        <div className="mt-8 min-h-24 text-start">
          {link && <CopyLink link={link} copyLabel={block.copyLabel} copiedLabel={block.copiedLabel} />}
          {link === null && (
            <Notice tone="info">
              <p>{(isWaiting && block.waitingText) || (block.missingText ?? t("gift.missing"))}</p>
            </Notice>
          )}
        </div>
        {block.action && <ContentButton button={block.action} className="mt-6" />}
      </div>
    </section>
  );
}

interface CopyLinkProps {
  link: string;
  copyLabel: string;
  copiedLabel: string;
}

function CopyLink({ link, copyLabel, copiedLabel }: CopyLinkProps) {
  const t = useTexts();
  const [copied, setCopied] = useState(false);
  const copy = () => {
    // Without clipboard access the URL can still be selected.
    void navigator.clipboard?.writeText(link).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <div className="flex flex-wrap gap-3">
      <input
        readOnly
        dir="ltr"
        value={link}
        aria-label={t("gift.link")}
        onFocus={(event) => event.target.select()}
        className={`${controlClass} grow basis-64`}
      />
      <Button onClick={copy} className="max-xs:w-full">
        <Icon name={copied ? "check" : "copy"} />
        {copied ? copiedLabel : copyLabel}
      </Button>
      <p role="status" className="sr-only">
        {copied ? copiedLabel : ""}
      </p>
    </div>
  );
}
