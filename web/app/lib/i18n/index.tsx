import { createInstance, type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import type en from "../../../locales/en.json";
import type { Locale } from "../locale";

export type Catalogue = typeof en;

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "ui";
    resources: { ui: Catalogue };
    returnNull: false;
  }
}

/** One instance per request on the server, one per page in the browser. */
export function createI18n(locale: Locale, catalogue: Catalogue): i18n {
  const instance = createInstance();
  instance.use(initReactI18next).init({
    lng: locale,
    resources: { [locale]: { ui: catalogue } },
    ns: ["ui"],
    defaultNS: "ui",
    fallbackLng: false,
    initAsync: false,
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  return instance;
}
