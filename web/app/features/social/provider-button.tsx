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
  /** Something else stands over it, and is pressed instead. */
  covered?: boolean;
  /** The id of what is still to be ticked before it opens. */
  blockedBy?: string;
}

/** In the quiet look that all three allow: their mark, their name, nobody's colours but the mark's. */
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
