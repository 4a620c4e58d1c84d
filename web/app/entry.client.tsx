import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { TextsProvider } from "~/lib/i18n";
import { loadSentBlocks } from "./blocks/render";
import { startAnalytics } from "./lib/analytics";
import { loadCatalogue } from "./lib/i18n/catalogues.client";
import { localeOf } from "./lib/locale";
import { rememberTracking } from "./lib/tracking";

const locale = localeOf(location.pathname);
const [catalogue] = await Promise.all([loadCatalogue(locale), loadSentBlocks()]);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <TextsProvider locale={locale} catalogue={catalogue}>
        <HydratedRouter />
      </TextsProvider>
    </StrictMode>,
  );
});

rememberTracking(new URLSearchParams(location.search));
startAnalytics();
