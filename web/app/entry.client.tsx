import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { TextsProvider } from "~/lib/i18n";
import { loadSentBlocks } from "./blocks/render";
import { startAnalytics } from "./lib/analytics";
import { loadCatalogue } from "./lib/i18n/catalogues.client";
import { rememberLanguageSwitch } from "./lib/links/chosen-locale";
import { localeOf } from "./lib/locale";
import { awaitSignIn } from "./lib/session/session";
import { takeUrlTokens, urlToken } from "./lib/session/url-token";
import { rememberTracking } from "./lib/tracking";

takeUrlTokens();
const token = urlToken(location.pathname);
if (token) awaitSignIn(import("./lib/handoff/token-sign-in").then(({ signInWithToken }) => signInWithToken(token)));
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
rememberLanguageSwitch(locale, document.referrer);
startAnalytics();
