import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { I18nextProvider } from "react-i18next";
import { HydratedRouter } from "react-router/dom";
import { startAnalytics } from "./lib/analytics";
import { createI18n } from "./lib/i18n";
import { loadCatalogue } from "./lib/i18n/catalogues.client";
import { localeOf } from "./lib/locale";
import { rememberTracking } from "./lib/tracking";

const locale = localeOf(location.pathname);
const catalogue = await loadCatalogue(locale);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <I18nextProvider i18n={createI18n(locale, catalogue)}>
        <HydratedRouter />
      </I18nextProvider>
    </StrictMode>,
  );
});

rememberTracking(new URLSearchParams(location.search));
startAnalytics();
