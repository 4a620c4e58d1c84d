import { useId } from "react";
import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import { isExternal, languageHref, offeredInSwitcher } from "~/lib/links";
import { LOCALES, localeOf, locales } from "~/lib/locale";
import { Icon } from "~/ui/icon/icon";

interface LanguageMenuProps {
  marketingBaseUrl: string | null;
  placement?: "above" | "below";
  onNight?: boolean;
}

/** Each language in its own name. A plain link: another language is another document. */
export function LanguageMenu({ marketingBaseUrl, placement = "below", onNight }: LanguageMenuProps) {
  const t = useTexts();
  const current = localeOf(useLocation().pathname);
  const id = useId();
  return (
    <details className="group relative" name={`languages-${id}`}>
      <summary
        aria-label={`${t("nav.language")}: ${locales[current].name}`}
        className={`flex min-h-11 list-none items-center gap-2 rounded-pill px-3 text-sm font-semibold transition duration-200 ${onNight ? "text-lav hover:bg-white/10 hover:text-white" : "text-ink hover:bg-mist"}`}
      >
        <Icon name="globe" className="opacity-75" />
        <span aria-hidden="true">{locales[current].name}</span>
        <Icon name="chevron-down" className="size-4 opacity-75 transition duration-200 group-open:rotate-180" />
      </summary>
      <ul
        className={`absolute end-0 z-20 grid w-72 max-lg:fixed max-lg:inset-x-5 max-lg:bottom-5 max-lg:w-auto animate-enter grid-cols-2 gap-1 rounded-card bg-card p-2 text-ink shadow-floating ${placement === "above" ? "bottom-full mb-2" : "top-full mt-2"}`}
      >
        {LOCALES.filter((locale) => offeredInSwitcher(locale, current)).map((locale) => {
          const href = languageHref(locale, marketingBaseUrl);
          return (
            <li key={locale}>
              <a
                href={href}
                lang={locale}
                hrefLang={locale}
                dir={locales[locale].dir}
                {...(isExternal(href) ? { target: "_blank", rel: "noopener noreferrer" } : {})}
                className="flex min-h-11 items-center rounded-field px-3 text-sm font-semibold hover:bg-mist"
              >
                {locales[locale].name}
              </a>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
