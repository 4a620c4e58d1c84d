import type { ReactNode } from "react";
import { Dusk } from "~/ui/art/dusk";
import { Icon } from "~/ui/icon/icon";
import { Picture, type PictureContent } from "~/ui/picture/picture";

interface BusinessPageProps {
  seed: string;
  sideTitle: string | null;
  sideText: string | null;
  sideItems: string[];
  sideImage: PictureContent | null;
  /** Title of the form's card. */
  heading: string;
  children: ReactNode;
}

/** The benefits for a company beside a form. */
export function BusinessPage({
  seed,
  sideTitle,
  sideText,
  sideItems,
  sideImage,
  heading,
  children,
}: BusinessPageProps) {
  const CardHeading = sideTitle ? "h2" : "h1";
  return (
    <section className="wrap grid items-start gap-10 py-8 md:py-14 lg:grid-cols-2 lg:gap-16">
      <div>
        {sideTitle && <h1 className="display text-display">{sideTitle}</h1>}
        {sideText && <p className="hero-lede mt-5 text-lg text-muted">{sideText}</p>}
        {sideItems.length > 0 && (
          <ul className="mt-8 space-y-4">
            {sideItems.map((item) => (
              <li key={item} className="flex gap-3">
                <Icon name="check" className="mt-1 text-action" />
                {item}
              </li>
            ))}
          </ul>
        )}
        {sideImage ? (
          <Picture image={sideImage} eager className="mt-10 aspect-4/3 w-full rounded-card object-cover" />
        ) : (
          <Dusk seed={seed} className="mt-10 hidden aspect-4/3 w-full lg:block" />
        )}
      </div>
      <div className="rounded-card bg-card p-6 shadow-raised md:p-10 lg:sticky lg:top-24">
        <CardHeading className="display mb-6 text-2xl">{heading}</CardHeading>
        {children}
      </div>
    </section>
  );
}
