import type { KeyboardEvent } from "react";
import { SKIP_SECS } from "./seek";
import type { Player } from "./use-player";

/** Shortcuts common to players, active while the focus is inside this one. */
export function pressShortcut(event: KeyboardEvent, player: Player): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target instanceof HTMLSelectElement) return;
  const key = event.key.toLowerCase();
  if (key === "k") player.toggle();
  else if (key === "j") player.skip(-SKIP_SECS);
  else if (key === "l") player.skip(SKIP_SECS);
}
