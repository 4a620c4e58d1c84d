import type { ReactNode } from "react";
import { Dusk } from "../art/dusk";

interface SplitPageProps {
  title: string;
  description?: string | null;
  /** Seed of the picture. */
  seed: string;
  heading?: "h1" | "h2";
  children: ReactNode;
}

/** One form beside a quiet picture. */
export function SplitPage({ title, description, seed, heading: Heading = "h1", children }: SplitPageProps) {
  return (
    <section className="wrap wrap-narrow grid items-stretch gap-16 py-8 md:py-12 lg:grid-cols-2">
      <div className="mx-auto w-full max-w-form lg:mx-0 lg:py-8">
        <header className="mb-8">
          <Heading className="display text-3xl">{title}</Heading>
          {description && <p className="mt-3 text-muted">{description}</p>}
        </header>
        <div className="space-y-6">{children}</div>
      </div>
      <Dusk seed={seed} className="hidden min-h-[32rem] lg:block" />
    </section>
  );
}
