import { preloadModule } from "react-dom";
import { redirect } from "react-router";
import { TokenSignIn } from "~/features/account/token-sign-in/token-sign-in";
import { SiteFooter } from "~/features/chrome/site-footer";
import { SiteHeader } from "~/features/chrome/site-header";
import { usePageAnalytics } from "~/lib/analytics/use-page-analytics";
import { urlPathOf } from "~/lib/links/links";
import { MarketingProvider } from "~/lib/links/marketing";
import { isLocale, type Locale, locales } from "~/lib/locale";
import type { Route } from "./+types/page";
import { loadPage } from "./page/load.server";
import { pageMeta } from "./page/meta";
import { PageLayout } from "./page/page-layout";
import { layoutOf, mainClass } from "./page/templates";

export function meta({ loaderData }: Route.MetaArgs) {
  return loaderData ? pageMeta(loaderData) : [];
}

export async function loader({ request, params }: Route.LoaderArgs) {
  if (!isLocale(params.locale)) throw redirect("/en/");
  return loadPage(request, params.locale, urlPathOf(params["*"]));
}

export function headers({ loaderHeaders, errorHeaders }: Route.HeadersArgs) {
  return errorHeaders ?? loaderHeaders;
}

export default function Page({ loaderData: page }: Route.ComponentProps) {
  const layout = layoutOf(page.template);
  const { quiet, isHome } = layout;
  const { navigation, footer, marketingBaseUrl } = page;
  for (const href of page.chunks.modules) preloadModule(href);

  usePageAnalytics(page);

  return (
    <MarketingProvider value={marketingBaseUrl}>
      <TokenSignIn />
      <div className="flex min-h-dvh flex-col">
        {page.chunks.styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} precedence="blocks" />
        ))}
        {navigation && (
          <SiteHeader navigation={navigation} stores={footer} pageType={page.pageType} isHome={isHome} quiet={quiet} />
        )}
        <main
          id="main"
          tabIndex={-1}
          className={mainClass(layout, page.urlPath, page.className) || undefined}
          {...languageOf(page.language, page.locale)}
        >
          <PageLayout arrangement={layout.arrangement} sections={page.sections} />
        </main>
        {footer && <SiteFooter footer={footer} quiet={quiet} />}
      </div>
    </MarketingProvider>
  );
}

/** Untranslated content declares its language. */
function languageOf(language: Locale, locale: Locale) {
  return language === locale ? {} : { lang: language, dir: locales[language].dir };
}
