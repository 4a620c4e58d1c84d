import { useId } from "react";
import type { Helpline } from "~/features/ai-text/use-ai-text";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { buttonClass } from "~/ui/button/styles";
import { Link } from "~/ui/link/link";

/** Helplines before any AI text: announced at once, never removed. */
export function CrisisCard({ helplines }: { helplines: Helpline[] }) {
  const t = useTexts();
  const id = useId();
  if (helplines.length === 0) return null;
  return (
    <section role="alert" aria-labelledby={id} className="mt-10 animate-enter rounded-card bg-danger-tint p-6">
      <h2 id={id} className="text-xl font-bold text-ink">
        {t("ai.crisisTitle")}
      </h2>
      <p className="mt-2 text-ink">{t("ai.crisisText")}</p>
      <ul className="mt-5 space-y-4">
        {helplines.map(({ name, phone, url }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-5 gap-y-2">
            <span className="grow basis-full font-bold md:basis-40 text-ink">{name}</span>
            {phone && (
              <Link url={`tel:${phone.replace(/[^\d*#+]/g, "")}`} className={buttonClass({ size: "compact" })}>
                {t("ai.crisisCall", { number: unbroken(phone) })}
              </Link>
            )}
            {url && (
              <Link url={url} className="inline-flex min-h-11 items-center font-semibold text-ink underline">
                {t("ai.crisisOpen")}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** On one line, left to right in any script. */
function unbroken(phone: string): string {
  return phone.replaceAll(" ", "\u00a0");
}
