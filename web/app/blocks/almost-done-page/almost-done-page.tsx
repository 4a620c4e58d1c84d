import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { paymentVerdict } from "~/lib/payment-return";
import { useQuery } from "~/lib/query";
import { Dusk } from "~/ui/art/dusk";
import { ContentButton } from "~/ui/button/content-button";
import { Notice } from "~/ui/notice/notice";
import { Picture } from "~/ui/picture/picture";
import { TrustedHtml } from "~/ui/prose/trusted-html";
import type { BlockProps } from "../registry";

export default function AlmostDonePage({ block }: BlockProps<"AlmostDonePage">) {
  const t = useTexts();
  const query = useQuery();
  if (query && paymentVerdict(query) === "failed") {
    return (
      <section className="wrap py-12 md:py-16">
        <div className="mx-auto max-w-text">
          <h1 className="sr-only">{t("paymentReturn.failedTitle")}</h1>
          <Notice tone="danger" title={t("paymentReturn.failedTitle")}>
            <p>{t("checkout.faults.paymentError")}</p>
          </Notice>
        </div>
      </section>
    );
  }
  return (
    <section className="wrap grid items-center gap-10 py-10 md:py-16 lg:grid-cols-[6fr_5fr] lg:gap-16">
      <div>
        <h1 className="display text-display">{block.title}</h1>
        {block.bodyHtml && <TrustedHtml html={block.bodyHtml} className="prose mt-5 text-lg text-muted" />}
        {block.action && <ContentButton button={block.action} className="mt-8 max-xs:w-full" />}
      </div>
      {block.artwork ? (
        <>
          <Picture image={block.artwork.mobile} className="w-full rounded-card md:hidden" />
          <Picture image={block.artwork.desktop} className="hidden w-full rounded-card md:block" />
        </>
      ) : (
        <Dusk seed={block.id} className="hidden aspect-square w-full lg:block" />
      )}
    </section>
  );
}
