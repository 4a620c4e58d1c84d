import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { type Locale, localeOf } from "~/lib/locale";
import { PROVIDER_NAMES, type Provider, type ProviderSettings } from "~/lib/social";
import { Link } from "~/ui/link/link";
import { Notice } from "~/ui/notice/notice";
import { faultOf } from "./api";
import { useScriptsWanted } from "./button-environment";
import { GoogleButton } from "./google-button";
import { LinkDialog } from "./link-dialog";
import { type Mode, ProviderButton } from "./provider-button";
import { initApple, openApple, requestAppleSignIn } from "./providers/apple";
import { openFacebook, requestFacebookSignIn } from "./providers/facebook";
import { freshNonce, isNonceStale } from "./providers/nonce";
import { type Fault, failed, isOwnFault, type ProviderResult } from "./providers/provider-result";
import { type SocialSignInResult, useSocialSignIn } from "./use-social-sign-in";

interface SocialButtonsProps {
  providers: Record<Provider, ProviderSettings | null>;
  mode: Mode;
  onSignedIn: (result: SocialSignInResult) => void;
  /** The account has a second factor. */
  onSecondStep: (challenge: string) => void;
  /** Id of the hint for unticked boxes: until then no provider is called. */
  blockedBy?: string;
}

const INIT_DELAY_MS = 1_000;
const AGE_CHECK_MS = 60_000;

/** One button per configured provider. Their scripts load a second later, or on hover or focus. */
export function SocialButtons({ providers, mode, onSignedIn, onSecondStep, blockedBy }: SocialButtonsProps) {
  const { apple, google, facebook } = providers;
  const locale = localeOf(useLocation().pathname);
  const social = useSocialSignIn({ mode, onSignedIn, onSecondStep });
  const group = useRef<HTMLDivElement>(null);
  const awake = useScriptsWanted(group, INIT_DELAY_MS);
  const renewals = useNonceRenewals();
  const { ask, closeLink } = social;
  const askGoogle = useCallback((askProvider: () => Promise<ProviderResult>) => ask("google", askProvider), [ask]);
  const linked = (result: SocialSignInResult) => {
    closeLink();
    onSignedIn(result);
  };
  const linkedLater = (challenge: string) => {
    closeLink();
    onSecondStep(challenge);
  };

  useEffect(() => {
    if (!awake) return;
    // A failure here is shown on the next press.
    void Promise.allSettled([apple && prepareApple(apple, locale), facebook && openFacebook(facebook, locale)]);
  }, [awake, apple, facebook, locale]);

  const button = (provider: Provider, askProvider: () => Promise<ProviderResult>) => (
    <ProviderButton
      provider={provider}
      mode={mode}
      busy={social.busy === provider}
      blockedBy={blockedBy}
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
          scriptsWanted={awake}
          round={social.spentNonces + renewals}
          busy={social.busy === "google"}
          blockedBy={blockedBy}
          onAsk={askGoogle}
        />
      )}
      {facebook && button("facebook", () => signInWithFacebook(facebook, locale))}
      {social.refused && <Refusal {...social.refused} />}
      {social.linkRequest && (
        <LinkDialog request={social.linkRequest} onSignedIn={linked} onSecondStep={linkedLater} onClose={closeLink} />
      )}
    </div>
  );
}

/** The window must open inside the click handler, so everything it needs is loaded before. */
async function prepareApple(settings: ProviderSettings, locale: Locale): Promise<void> {
  const [auth, nonce] = await Promise.all([openApple(settings, locale), freshNonce()]);
  if (nonce.ok) initApple(auth, { clientId: settings.clientId, nonce: nonce.value.nonce, locale });
}

async function signInWithApple(settings: ProviderSettings, locale: Locale): Promise<ProviderResult> {
  const [auth, nonce] = await Promise.all([openApple(settings, locale), freshNonce()]);
  if (!nonce.ok) return failed(faultOf(nonce.problem));
  return requestAppleSignIn(auth, { clientId: settings.clientId, nonce: nonce.value.nonce, locale });
}

async function signInWithFacebook(settings: ProviderSettings, locale: Locale): Promise<ProviderResult> {
  // Facebook ignores the nonce; its cookie holds a link request.
  const [sdk, nonce] = await Promise.all([openFacebook(settings, locale), freshNonce()]);
  return nonce.ok ? requestFacebookSignIn(sdk) : failed(faultOf(nonce.problem));
}

/** Increments when the cached nonce expires while the page is visible. */
function useNonceRenewals(): number {
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
        {t(isOwnFault(fault) ? `errors.${fault}` : `social.faults.${fault}`, values)} {t("social.otherWays")}
      </p>
    </Notice>
  );
}
