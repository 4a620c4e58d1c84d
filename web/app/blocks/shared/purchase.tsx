import type { ReactNode } from "react";
import { ContactLine } from "~/ui/contact-line/contact-line";
import { TrustedHtml } from "~/ui/prose/trusted-html";

interface PurchaseProps {
  title: string;
  priceLabel: string | null;
  infoHtml: string | null;
  contactEmail: string;
  children?: ReactNode;
}

/** Product and terms of purchases that are still made by mail. */
export function Purchase({ title, priceLabel, infoHtml, contactEmail, children }: PurchaseProps) {
  return (
    <section className="wrap wrap-narrow pt-6 pb-16 md:pt-10">
      <h1 className="display mb-6 text-3xl md:mb-8">{title}</h1>
      <div className="grid items-start gap-6 lg:grid-cols-2 lg:gap-10">
        <div className="rounded-card bg-card p-5 shadow-raised md:p-8">
          {priceLabel && <h2 className="text-lg font-bold">{priceLabel}</h2>}
          {infoHtml && <TrustedHtml html={infoHtml} className="prose mt-3 text-muted" />}
          {children}
        </div>
        <ContactLine email={contactEmail} subject={title} />
      </div>
    </section>
  );
}
