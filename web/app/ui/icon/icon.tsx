import sprite from "./sprite.svg?url";

/** The shapes are in one cached sprite, instead of in every page and script. */
export const ICONS = [
  "arrow",
  "chevron",
  "chevron-down",
  "check",
  "close",
  "menu",
  "eye",
  "eye-off",
  "globe",
  "lock",
  "alert",
  "bell",
  "card",
  "unlock",
  "camera",
  "code",
  "clock",
  "copy",
  "mail",
  "pause",
  "play",
  "rewind",
  "forward",
  "stop",
  "refresh",
  "sound",
  "person",
  "device",
  "download",
  "feature-lotus",
  "feature-breath",
  "feature-moon",
  "feature-coach",
  "feature-heart",
  "feature-music",
  "feature-focus",
  "feature-sun",
  "feature-calendar",
  "feature-shield",
  "social-instagram",
  "social-facebook",
  "social-telegram",
  "social-youtube",
  "social-linkedin",
  "social-x",
  "app-store",
  "play-store",
] as const;

export type IconName = (typeof ICONS)[number];

interface IconProps {
  name: IconName;
  className?: string;
  /** Arrows and chevrons mirror with the writing direction; play, clocks and others do not. */
  mirrored?: boolean;
  /** Filled instead of outlined. */
  solid?: boolean;
  /** Replaces the text colour. */
  color?: string | undefined;
}

export function Icon({ name, className, mirrored, solid, color }: IconProps) {
  return (
    <svg
      width="20"
      height="20"
      color={color}
      fill={solid ? "currentColor" : "none"}
      stroke={solid ? "none" : "currentColor"}
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`shrink-0 ${mirrored ? "rtl:-scale-x-100" : ""} ${className ?? ""}`}
    >
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}

export function Star({ filled }: { filled: boolean }) {
  return (
    <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true" className="shrink-0">
      <path
        d="m10 1.8 2.5 5.2 5.7.8-4.1 4 1 5.7L10 14.8l-5.1 2.7 1-5.7-4.1-4 5.7-.8L10 1.8Z"
        fill={filled ? "currentColor" : "none"}
        stroke="currentColor"
        strokeWidth="1.25"
        strokeLinejoin="round"
      />
    </svg>
  );
}
