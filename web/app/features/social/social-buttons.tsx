import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { type Locale, localeOf } from "~/lib/locale";
import { PROVIDER_NAMES, type Provider, type ProviderSettings } from "~/lib/social";
import { Link } from "~/ui/link/link";
import { Notice } from "~/ui/notice/notice";
import { faultOf } from "./api";
import { useAwake } from "./button-environment";
import { GoogleButton } from "./google-button";
import { LinkDialog } from "./link-dialog";
import { type Mode, ProviderButton } from "./provider-button";
import { askApple, initApple, openApple } from "./providers/apple";
import { askFacebook, openFacebook } from "./providers/facebook";
import { freshNonce, isNonceStale } from "./providers/nonce";
import { type Asked, type Fault, failed, isOurs } from "./providers/provider-result";
import { type Arrived, useSocialSignIn } from "./use-social-sign-in";

interface SocialButtonsProps {
  providers: Record<Provider, ProviderSettings | null>;
  mode: Mode;
  onSignedIn: (arrived: Arrived) => void;
  /** The id of what is still to be ticked: until then no provider is asked. */
  heldBy?: string;
}

const INIT_DELAY_MS = 1_000;
const AGE_CHECK_MS = 60_000;

/** One button for each provider that is configured. Their scripts come a second after the buttons, or when somebody reaches for one. */
export function SocialButtons({ providers, mode, onSignedIn, heldBy }: SocialButtonsProps) {
  const { apple, google, facebook } = providers;
  const locale = localeOf(useLocation().pathname);
  const social = useSocialSignIn(mode, onSignedIn);
  const group = useRef<HTMLDivElement>(null);
  const awake = useAwake(group, INIT_DELAY_MS);
  const renewals = useRenewals();
  const { ask, leaveLink } = social;
  const askGoogle = useCallback((askProvider: () => Promise<Asked>) => ask("google", askProvider), [ask]);
  const linked = (arrived: Arrived) => {
    leaveLink();
    onSignedIn(arrived);
  };

  useEffect(() => {
    if (!awake) return;
    // What fails here is said when somebody presses.
    void Promise.allSettled([apple && prepareApple(apple, locale), facebook && openFacebook(facebook, locale)]);
  }, [awake, apple, facebook, locale]);

  const button = (provider: Provider, askProvider: () => Promise<Asked>) => (
    <ProviderButton
      provider={provider}
      mode={mode}
      busy={social.busy === provider}
      heldBy={heldBy}
      onPress={() => ask(provider, askProvider)}
    />
  );
  return (
    <div ref={group} className="grid gap-3">
      {apple && button("apple", () => signInWithApple(apple, locale))}
      {google && (
        <GoogleButton
          settings={google}
          mode={mode}
          locale={locale}
          awake={awake}
          round={social.spent + renewals}
          busy={social.busy === "google"}
          heldBy={heldBy}
          onAsk={askGoogle}
        />
      )}
      {facebook && button("facebook", () => signInWithFacebook(facebook, locale))}
      {social.refused && <Refusal {...social.refused} />}
      {social.toLink && <LinkDialog wanted={social.toLink} onSignedIn={linked} onClose={leaveLink} />}
    </div>
  );
}

/** The window must open within the press: everything it needs is fetched before. */
async function prepareApple(settings: ProviderSettings, locale: Locale): Promise<void> {
  const [auth, nonce] = await Promise.all([openApple(settings, locale), freshNonce()]);
  if (nonce.ok) initApple(auth, { clientId: settings.clientId, nonce: nonce.value.nonce, locale });
}

async function signInWithApple(settings: ProviderSettings, locale: Locale): Promise<Asked> {
  const [auth, nonce] = await Promise.all([openApple(settings, locale), freshNonce()]);
  if (!nonce.ok) return failed(faultOf(nonce.problem));
  return askApple(auth, { clientId: settings.clientId, nonce: nonce.value.nonce, locale });
}

async function signInWithFacebook(settings: ProviderSettings, locale: Locale): Promise<Asked> {
  // The number is not Facebook's business; the cookie that comes with it is what a link would wait in.
  const [sdk, nonce] = await Promise.all([openFacebook(settings, locale), freshNonce()]);
  return nonce.ok ? askFacebook(sdk) : failed(faultOf(nonce.problem));
}

/** Counts up whenever the number that the page holds has become too old, while somebody looks. */
function useRenewals(): number {
  const [renewals, setRenewals] = useState(0);
  useEffect(() => {
    const renew = () => {
      if (!document.hidden && isNonceStale()) setRenewals((before) => before + 1);
    };
    const timer = setInterval(renew, AGE_CHECK_MS);
    document.addEventListener("visibilitychange", renew);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", renew);
    };
  }, []);
  return renewals;
}

function Refusal({ provider, fault }: { provider: Provider; fault: Fault }) {
  const t = useTexts();
  const { search } = useLocation();
  const values = { provider: PROVIDER_NAMES[provider] };
  if (fault === "accountMissing") {
    return (
      <Notice tone="danger">
        <p>{t("social.faults.accountMissing", values)}</p>
        <Link
          url={`/signup${search}`}
          className="inline-flex min-h-11 items-center font-bold underline underline-offset-4"
        >
          {t("auth.createAccount")}
        </Link>
      </Notice>
    );
  }
  return (
    <Notice tone="danger">
      <p>
        {t(isOurs(fault) ? `errors.${fault}` : `social.faults.${fault}`, values)} {t("social.otherWays")}
      </p>
    </Notice>
  );
}
