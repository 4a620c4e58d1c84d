import { parseHex } from "~/lib/format/colour";
import { FeatureIcon } from "~/ui/icon/feature-icon";
import { Picture } from "~/ui/picture/picture";

interface BadgeIconProps {
  name: string;
  color: string | null;
}

const TURKCELL = { url: "/partners/turkcell.svg", alt: "Turkcell", width: 96, height: 24 };

/** Two special names: a hungry disc and a partner's logo. All others are icons. */
export function BadgeIcon({ name, color }: BadgeIconProps) {
  const given = parseHex(color) && color ? color : undefined;
  if (name === "turkcell") return <Picture image={TURKCELL} className="h-6 w-auto shrink-0" />;
  if (name === "pacman") return <Pacman color={given} />;
  return (
    <span className="shrink-0">
      <FeatureIcon name={name} color={given} />
    </span>
  );
}

function Pacman({ color }: { color: string | undefined }) {
  return (
    <svg viewBox="0 0 40 24" width="40" height="24" aria-hidden="true" className="shrink-0 rtl:-scale-x-100">
      <path d="M12 12 21.5 5.4A11.5 11.5 0 1 0 21.5 18.6Z" fill={color ?? "var(--color-gold)"} />
      <circle cx="12.5" cy="6" r="1.4" fill="var(--color-night-deep)" />
      <g fill="currentColor">
        <circle cx="25" cy="12" r="1.8" />
        <circle cx="31" cy="12" r="1.8" />
        <circle cx="37" cy="12" r="1.8" />
      </g>
    </svg>
  );
}
