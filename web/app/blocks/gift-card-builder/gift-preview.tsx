import type { GiftBuilderPartFragment } from "~/gen/graphql";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { LotusMark } from "~/ui/art/lotus";
import { ContactLine } from "~/ui/contact-line/contact-line";

interface GiftPreviewProps {
  texts: GiftBuilderPartFragment;
  contactEmail: string;
  heading: "h1" | "h2";
}

/** The colours of each theme, with an accent that is visible on it. */
const themes = [
  { name: "forest", look: "bg-gift-forest text-gold" },
  { name: "indigo", look: "bg-night text-lav" },
  { name: "violet", look: "bg-violet text-cream" },
  { name: "teal", look: "bg-gift-teal text-mint" },
] as const;

/** A preview of the cards; orders are still taken by mail. */
export function GiftPreview({ texts, contactEmail, heading: Heading }: GiftPreviewProps) {
  const { steps } = texts;
  const SubHeading = Heading === "h1" ? "h2" : "h3";
  return (
    <div className="grid items-start gap-10 lg:grid-cols-[6fr_5fr] lg:gap-16">
      <div>
        <Heading className="display text-3xl">{texts.title}</Heading>
        {texts.description && <p className="hero-lede mt-4 text-lg text-muted">{texts.description}</p>}
        <ol className="mt-8 space-y-3">
          {[steps.themeLabel, steps.customizeLabel, steps.previewLabel].map((label, index) => (
            <li key={label} className="flex items-center gap-4">
              <span className="money grid size-9 shrink-0 place-items-center rounded-pill bg-mist text-sm font-bold text-action">
                {index + 1}
              </span>
              <SubHeading className="font-semibold">{label}</SubHeading>
            </li>
          ))}
        </ol>
        <div className="mt-8 max-w-form">
          <ContactLine email={contactEmail} subject={texts.title} />
        </div>
      </div>
      <ThemeCards />
    </div>
  );
}

function ThemeCards() {
  const t = useTexts();
  return (
    <ul className="grid grid-cols-2 gap-4 md:gap-6">
      {themes.map((theme) => (
        <li key={theme.name}>
          <div
            className={`${theme.look} relative grid aspect-[5/7] place-items-center overflow-hidden rounded-card shadow-raised`}
          >
            <LotusMark className="absolute -bottom-1/4 h-3/4 w-auto opacity-20" />
            <LotusMark className="h-12 w-auto" />
          </div>
          <p className="mt-2 text-center text-sm font-semibold text-muted">{t(`gift.themes.${theme.name}`)}</p>
        </li>
      ))}
    </ul>
  );
}
