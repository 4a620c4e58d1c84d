import type { ReactNode } from "react";

/** Where something is paid for: what it is called, and the checkout as wide as there is room. */
export function PaymentSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="wrap wrap-narrow pt-6 pb-16 md:pt-10">
      <h1 className="display mb-6 text-3xl md:mb-8">{title}</h1>
      <div className="@container">{children}</div>
    </section>
  );
}
