import type { ReactNode } from "react";

interface SplitSectionProps {
  title: string;
  text?: string | null;
  children: ReactNode;
}

/** Title and text on one side, controls on the other. */
export function SplitSection({ title, text, children }: SplitSectionProps) {
  return (
    <section className="grid items-start gap-5 border-t border-hairline py-8 md:py-10 lg:grid-cols-[5fr_7fr] lg:gap-16">
      <div>
        <h2 className="display text-2xl">{title}</h2>
        {text && <p className="mt-2 text-muted">{text}</p>}
      </div>
      <div className="space-y-4">{children}</div>
    </section>
  );
}
