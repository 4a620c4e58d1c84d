import { type ButtonContent, ContentButton } from "../button/content-button";

interface OfferCardProps {
  title: string;
  text: string | null;
  badge: string | null;
  button: ButtonContent | null;
}

/** An additional offer. */
export function OfferCard({ title, text, badge, button }: OfferCardProps) {
  return (
    <aside className="relative mx-auto max-w-text rounded-card border-2 border-action bg-mist p-6 md:p-8">
      {badge && (
        <p className="absolute -top-3.5 start-6 rounded-pill bg-action px-3 py-1 text-2xs font-bold text-on-action md:start-8">
          {badge}
        </p>
      )}
      <h2 className="display text-2xl">{title}</h2>
      {text && <p className="mt-2 text-muted">{text}</p>}
      {button && <ContentButton button={button} className="mt-6 max-xs:w-full" />}
    </aside>
  );
}
