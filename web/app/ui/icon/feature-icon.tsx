import { Icon, type IconName } from "./icon";

/**
 * Icon names for editors: content rejects any other (`services/blocks/src/design.rs`; a test there keeps both equal).
 */
const byContentName: Record<string, IconName> = {
  lotus: "feature-lotus",
  breath: "feature-breath",
  moon: "feature-moon",
  coach: "feature-coach",
  heart: "feature-heart",
  music: "feature-music",
  focus: "feature-focus",
  sun: "feature-sun",
  calendar: "feature-calendar",
  shield: "feature-shield",
  clock: "clock",
  check: "check",
  meditation: "feature-lotus",
  air: "feature-breath",
  breathing: "feature-breath",
  wind: "feature-breath",
  wave: "feature-breath",
  waves: "feature-breath",
  sleep: "feature-moon",
  night: "feature-moon",
  coaching: "feature-coach",
  chat: "feature-coach",
  therapy: "feature-heart",
  care: "feature-heart",
  sound: "feature-music",
  sounds: "feature-music",
  target: "feature-focus",
  morning: "feature-sun",
  day: "feature-sun",
  program: "feature-calendar",
  programme: "feature-calendar",
  privacy: "feature-shield",
  lock: "feature-shield",
};

interface FeatureIconProps {
  name: string;
  color?: string | undefined;
}

export function FeatureIcon({ name, color }: FeatureIconProps) {
  return <Icon name={byContentName[name] ?? "feature-lotus"} color={color} className="size-6" />;
}
