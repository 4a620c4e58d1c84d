import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { PROVIDER_NAMES, type Provider } from "~/lib/social";
import { Button } from "~/ui/button/button";
import { ProviderMark } from "~/ui/provider-mark/provider-mark";

export type Mode = "signUp" | "signIn";

interface ProviderButtonProps {
  provider: Provider;
  mode: Mode;
  busy: boolean;
  onPress: () => void;
  /** Covered by the provider's own button. */
  covered?: boolean;
  /** Id of the hint for unticked boxes; the button is disabled. */
  blockedBy?: string;
}

/** A plain style that all three providers allow; only the icon has colour. */
export function ProviderButton({ provider, mode, busy, onPress, covered, blockedBy }: ProviderButtonProps) {
  const t = useTexts();
  return (
    <Button
      variant="provider"
      size="compact"
      busy={busy}
      inert={covered}
      disabled={blockedBy !== undefined}
      aria-describedby={blockedBy}
      onClick={onPress}
      className="w-full"
    >
      <ProviderMark provider={provider} />
      <span>{t(`social.${mode}`, { provider: PROVIDER_NAMES[provider] })}</span>
    </Button>
  );
}
