import type { ReactNode } from "react";
import { TrustedHtml } from "~/ui/prose/trusted-html";

interface PaymentHeadingProps {
  title: string;
  infoHtml: string | null;
}

/**
 * What is paid for and on which terms: the same for everybody, so it stands in the page as the server sends it. It is the most
 * there is to read, and nothing that comes later may be larger: the page has been there since it was first painted.
 */
export function PaymentHeading({ title, infoHtml }: PaymentHeadingProps) {
  return (
    <header className="mb-6 md:mb-8">
      <h1 className="display text-3xl">{title}</h1>
      {infoHtml && <TrustedHtml html={infoHtml} className="prose mt-3 text-lg text-pretty text-muted" />}
    </header>
  );
}

/** Where something is paid for: its heading, and the checkout as wide as there is room. */
export function PaymentSection({ children, ...heading }: PaymentHeadingProps & { children: ReactNode }) {
  return (
    <section className="wrap wrap-narrow pt-6 pb-16 md:pt-10">
      <PaymentHeading {...heading} />
      <div className="@container">{children}</div>
    </section>
  );
}
