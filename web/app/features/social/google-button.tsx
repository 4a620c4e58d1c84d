import { useCallback, useEffect, useRef, useState } from "react";
import type { Locale } from "~/lib/locale";
import type { ProviderSettings } from "~/lib/social";
import { Spinner } from "~/ui/spinner/spinner";
import { faultOf } from "./api";
import { useElementWidth, useIsDark } from "./button-environment";
import { type Mode, ProviderButton } from "./provider-button";
import { drawGoogle, googlePayload, initGoogle, openGoogle } from "./providers/google";
import { freshNonce } from "./providers/nonce";
import { CANCELLED, failed, type ProviderResult } from "./providers/provider-result";

interface GoogleButtonProps {
  settings: ProviderSettings;
  mode: Mode;
  locale: Locale;
  /** Scripts may be loaded. */
  scriptsWanted: boolean;
  /** Increments when the nonce is used or expired. */
  round: number;
  busy: boolean;
  blockedBy?: string;
  onAsk: (ask: () => Promise<ProviderResult>) => void;
}

/** Google's largest button is 40 pixels high, ours are 44. */
const SCALE = 1.1;

/** Google draws its own button and opens its window from it. Until it is drawn, or if it fails, our button is shown. */
export function GoogleButton({
  settings,
  mode,
  locale,
  scriptsWanted,
  round,
  busy,
  blockedBy,
  onAsk,
}: GoogleButtonProps) {
  const slot = useRef<HTMLDivElement>(null);
  const container = useRef<HTMLDivElement>(null);
  const width = useElementWidth(slot);
  const isDark = useIsDark();
  const [isDrawn, setDrawn] = useState(false);

  const isHeld = useRef(false);
  isHeld.current = blockedBy !== undefined;

  const draw = useCallback(async (): Promise<ProviderResult> => {
    const [id, nonce] = await Promise.all([openGoogle(settings), freshNonce()]);
    if (!nonce.ok) return failed(faultOf(nonce.problem));
    if (!container.current || isHeld.current) return CANCELLED;
    const hadFocus = slot.current?.contains(document.activeElement);
    const onCredential = (token: string) => onAsk(async () => ({ kind: "payload", payload: googlePayload(token) }));
    initGoogle(id, { clientId: settings.clientId, nonce: nonce.value.nonce, onCredential });
    drawGoogle(id, container.current, {
      text: mode === "signUp" ? "signup_with" : "signin_with",
      theme: isDark ? "filled_black" : "outline",
      width: width / SCALE,
      locale,
    });
    if (hadFocus) container.current.querySelector<HTMLElement>("button, [role=button], iframe")?.focus();
    setDrawn(true);
    return CANCELLED;
  }, [settings, mode, locale, width, isDark, onAsk]);

  useEffect(() => {
    if (blockedBy !== undefined) {
      // Google's button cannot be disabled, so it is removed while a required box is unticked.
      container.current?.replaceChildren();
      setDrawn(false);
      return;
    }
    // A failure here is shown on the next press.
    if (scriptsWanted && width > 0 && round >= 0) void draw().catch(() => undefined);
  }, [scriptsWanted, width, round, draw, blockedBy]);

  return (
    <div ref={slot} className="relative">
      <ProviderButton
        provider="google"
        mode={mode}
        busy={busy && !isDrawn}
        covered={isDrawn}
        blockedBy={blockedBy}
        onPress={() => onAsk(draw)}
      />
      <div
        ref={container}
        aria-busy={busy || undefined}
        className="absolute inset-0 grid scale-110 place-items-center scheme-light empty:hidden"
      />
      {busy && isDrawn && (
        <span className="absolute inset-0 grid place-items-center rounded-pill border border-provider-line bg-provider text-on-provider">
          <Spinner />
        </span>
      )}
    </div>
  );
}
