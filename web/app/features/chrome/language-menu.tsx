import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import { storeLocale } from "~/lib/links/chosen-locale";
import { isExternal, languageHref, offeredInSwitcher } from "~/lib/links/links";
import { useMarketingBaseUrl } from "~/lib/links/marketing";
import { LOCALES, localeOf, locales } from "~/lib/locale";
import { Icon } from "~/ui/icon/icon";
import { Popup } from "./popup";

/** Each language in its own name. Plain links, because another language is another document. */
export function LanguageMenu() {
  const t = useTexts();
  const marketingBaseUrl = useMarketingBaseUrl();
  const current = localeOf(useLocation().pathname);
  return (
    <Popup
      name={`${t("nav.language")}: ${locales[current].name}`}
      triggerClass="flex min-h-11 items-center gap-2 rounded-pill px-3 text-sm font-semibold transition duration-200 hover:bg-mist"
      trigger={
        <>
          <Icon name="globe" className="opacity-75" />
          <span>{locales[current].name}</span>
          <Icon name="chevron-down" className="chevron size-4 opacity-75" />
        </>
      }
      className="p-2 lg:w-72"
    >
      <ul className="grid grid-cols-2 gap-1">
        {LOCALES.filter((locale) => offeredInSwitcher(locale, current)).map((locale) => {
          const href = languageHref(locale, marketingBaseUrl);
          return (
            <li key={locale}>
              <a
                href={href}
                lang={locale}
                hrefLang={locale}
                dir={locales[locale].dir}
                onClick={() => storeLocale(locale)}
                {...(isExternal(href) ? { target: "_blank", rel: "noopener noreferrer" } : {})}
                className="flex min-h-11 items-center rounded-field px-3 text-sm font-semibold hover:bg-mist"
              >
                {locales[locale].name}
              </a>
            </li>
          );
        })}
      </ul>
    </Popup>
  );
}
