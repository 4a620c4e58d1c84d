import { hash } from "~/lib/random";

const tints = [
  "bg-mist text-action",
  "bg-success-tint text-success",
  "bg-warn-tint text-warn",
  "bg-danger-tint text-danger",
];

/** Initials on a tint derived from the name. */
export function Avatar({ name }: { name: string }) {
  const initials = name
    .trim()
    .split(/\s+/)
    .map((word) => [...word][0] ?? "")
    .filter((_, index, all) => index === 0 || index === all.length - 1)
    .join("");
  return (
    <span
      aria-hidden="true"
      className={`grid size-11 shrink-0 place-items-center rounded-pill text-sm font-bold ${tints[hash(name) % tints.length]}`}
    >
      {initials}
    </span>
  );
}
