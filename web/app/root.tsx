import { type ReactNode, useEffect, useRef, useState } from "react";
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration, useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import type { Route } from "./+types/root";
import { useHydrateBeforeNavigation } from "./blocks/render";
import { Consent } from "./features/consent/consent";
import { QUEUE_PRESSES, replayPress } from "./lib/browser/early-press";
import { bodyFace } from "./lib/fonts";
import { localeOf, locales } from "./lib/locale";
import { MARK_MEMBERS_SCRIPT } from "./lib/session/session";
import stylesheet from "./styles/app.css?url";
import { ErrorScreen } from "./ui/error-screen/error-screen";
import { PageSpinner } from "./ui/spinner/page-spinner";

export function links(): Route.LinkDescriptors {
  return [{ rel: "stylesheet", href: stylesheet }];
}

export function headers({ errorHeaders }: Route.HeadersArgs) {
  return errorHeaders ?? {};
}

export function Layout({ children }: { children: ReactNode }) {
  const t = useTexts();
  const locale = localeOf(useLocation().pathname);
  const face = bodyFace(locale);
  useEffect(() => replayPress(document.documentElement), []);
  return (
    // The inline script may set attributes before hydration.
    <html lang={locale} dir={locales[locale].dir} data-asleep="" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        {/* The text is in the server's HTML only: the browser has already run it. */}
        <script suppressHydrationWarning>
          {import.meta.env.SSR ? `${MARK_MEMBERS_SCRIPT}\n${QUEUE_PRESSES}` : ""}
        </script>
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"
        />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbfaf7" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#14122b" />
        <Meta />
        {face && <link rel="preload" as="font" type="font/woff2" href={face} crossOrigin="anonymous" />}
        <Links />
      </head>
      <body>
        <a href="#main" className="skip-link">
          {t("common.skip")}
        </a>
        <Consent />
        {children}
        <Arrival />
        <PageSpinner />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  useHydrateBeforeNavigation();
  return <Outlet />;
}

/** After a client navigation, announces the title and moves the focus to the content. */
function Arrival() {
  const { pathname } = useLocation();
  const [title, setTitle] = useState("");
  const before = useRef(pathname);

  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    setTitle(document.title);
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [pathname]);

  return (
    <p role="status" className="sr-only">
      {title}
    </p>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const status = isRouteErrorResponse(error) ? error.status : 500;
  return <ErrorScreen status={status} />;
}
