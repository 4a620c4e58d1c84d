import type { ReactNode } from "react";
import { TrustedHtml } from "~/ui/prose/trusted-html";

interface PaymentHeadingProps {
  title: string;
  infoHtml: string | null;
}

/**
 * Title and terms, the same for everyone and thus part of the server's HTML. It must stay the largest element: then the
 * largest contentful paint is the first one.
 */
export function PaymentHeading({ title, infoHtml }: PaymentHeadingProps) {
  return (
    <header className="mb-6 md:mb-8">
      <h1 className="display text-3xl">{title}</h1>
      {infoHtml && <TrustedHtml html={infoHtml} className="prose mt-3 text-lg text-pretty text-muted" />}
    </header>
  );
}

/** A payment page: its heading and the full-width checkout. */
export function PaymentSection({ children, ...heading }: PaymentHeadingProps & { children: ReactNode }) {
  return (
    <section className="wrap wrap-narrow pt-6 pb-16 md:pt-10">
      <PaymentHeading {...heading} />
      <div className="@container">{children}</div>
    </section>
  );
}
