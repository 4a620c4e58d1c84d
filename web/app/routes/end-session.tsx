import { data, redirect } from "react-router";
import { EndSession } from "~/features/account/end-session/end-session";
import { SiteFooter } from "~/features/chrome/site-footer";
import { SiteHeader } from "~/features/chrome/site-header";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { MarketingProvider } from "~/lib/links/marketing";
import { isLocale } from "~/lib/locale";
import type { Route } from "./+types/end-session";
import { loadChrome } from "./page/load.server";

/** Mailed links are personal: neither caches nor search engines keep the page. */
const HEADERS = { "cache-control": "no-store", "x-robots-tag": "noindex, nofollow" };
const URL_PATH = "/account/end-session";

export function meta() {
  return [
    { name: "robots", content: "noindex, nofollow" },
    { tagName: "link", rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  ];
}

export async function loader({ params }: Route.LoaderArgs) {
  const { locale } = params;
  if (!isLocale(locale)) throw redirect("/en/");
  return data(await loadChrome(locale, URL_PATH), { headers: HEADERS });
}

export function headers({ loaderHeaders, errorHeaders }: Route.HeadersArgs) {
  return errorHeaders ?? loaderHeaders;
}

export default function EndSessionPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts();
  const { navigation, footer, marketingBaseUrl } = loaderData;
  return (
    <MarketingProvider value={marketingBaseUrl}>
      <title>{`${t("endSession.title")} | Stillpoint`}</title>
      <div className="flex min-h-dvh flex-col">
        {navigation && <SiteHeader navigation={navigation} stores={footer} pageType="page" isHome={false} quiet />}
        <main id="main" tabIndex={-1} className="contained">
          <EndSession />
        </main>
        {footer && <SiteFooter footer={footer} quiet />}
      </div>
    </MarketingProvider>
  );
}
