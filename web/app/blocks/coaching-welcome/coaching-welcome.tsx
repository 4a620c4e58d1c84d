import { ButtonLink } from "~/ui/button/button-link";
import { ContactLine } from "~/ui/contact-line/contact-line";
import { Icon, type IconName } from "~/ui/icon/icon";
import { Picture } from "~/ui/picture/picture";
import type { BlockProps } from "../registry";

type Welcome = BlockProps<"CoachingWelcome">["block"];

export default function CoachingWelcome({ block }: BlockProps<"CoachingWelcome">) {
  return (
    <section className="wrap grid items-start gap-10 py-10 md:py-16 lg:grid-cols-[8fr_4fr] lg:gap-16">
      <div>
        <h1 className="display text-display">{block.title}</h1>
        {block.description && <p className="hero-lede mt-5 text-lg text-muted">{block.description}</p>}
        <Ways welcome={block} />
        <div className="mt-10 rounded-card bg-card p-6 shadow-rest md:p-8">
          <h2 className="display text-xl">{block.sessionsTitle}</h2>
          <p className="mt-3 text-muted">{block.emptyText}</p>
          {block.windowNote && <p className="mt-3 text-2xs text-muted">{block.windowNote}</p>}
        </div>
      </div>
      <aside className="space-y-6 lg:sticky lg:top-24">
        {block.image && (
          <Picture image={block.image} className="aspect-4/3 w-full rounded-card object-cover max-lg:hidden" />
        )}
        <ContactLine email={block.contactEmail} subject={block.title} />
      </aside>
    </section>
  );
}

function Ways({ welcome }: { welcome: Welcome }) {
  const links: { icon: IconName; title: string; text: string | null; url: string | null }[] = [
    { icon: "feature-coach", title: welcome.chatLabel, text: welcome.chatText, url: null },
    { icon: "feature-calendar", title: welcome.programLabel, text: welcome.programText, url: welcome.programUrl },
    { icon: "camera", title: welcome.bookLabel, text: welcome.bookText, url: null },
    { icon: "feature-heart", title: welcome.extraLabel, text: welcome.extraText, url: null },
  ];
  return (
    <ul className="mt-10 grid gap-4 md:grid-cols-2">
      {links.map((way) => (
        <li key={way.title} className="flex gap-4 rounded-card bg-card p-5 shadow-rest md:p-6">
          <span className="grid size-11 shrink-0 place-items-center rounded-field bg-mist text-action">
            <Icon name={way.icon} />
          </span>
          <div>
            <h2 className="font-bold">{way.title}</h2>
            {way.text && <p className="mt-1 text-sm text-muted">{way.text}</p>}
            {way.url && (
              <ButtonLink url={way.url} size="compact" variant="secondary" className="mt-3">
                {way.title}
              </ButtonLink>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
