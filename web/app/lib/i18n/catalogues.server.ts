import { LOCALES, type Locale } from "../locale";
import type { AccountTexts, Catalogue, ConsentTexts, Journeys, PageTexts, SubscriptionTexts, WithdrawalTexts } from ".";

const pages = import.meta.glob<PageTexts>("../../../locales/*.json", { eager: true, import: "default" });
const account = import.meta.glob<AccountTexts>("../../../locales/account/*.json", { eager: true, import: "default" });
const consent = import.meta.glob<ConsentTexts>("../../../locales/consent/*.json", { eager: true, import: "default" });
const journeys = import.meta.glob<Journeys>("../../../locales/journeys/*.json", { eager: true, import: "default" });
const subscription = import.meta.glob<SubscriptionTexts>("../../../locales/subscription/*.json", {
  eager: true,
  import: "default",
});
const withdrawal = import.meta.glob<WithdrawalTexts>("../../../locales/withdrawal/*.json", {
  eager: true,
  import: "default",
});

/** Every language, in memory. */
export const catalogues = Object.fromEntries(
  LOCALES.map((locale) => [
    locale,
    {
      ...pages[`../../../locales/${locale}.json`],
      ...account[`../../../locales/account/${locale}.json`],
      ...consent[`../../../locales/consent/${locale}.json`],
      ...journeys[`../../../locales/journeys/${locale}.json`],
      ...subscription[`../../../locales/subscription/${locale}.json`],
      ...withdrawal[`../../../locales/withdrawal/${locale}.json`],
    },
  ]),
) as Record<Locale, Catalogue>;
