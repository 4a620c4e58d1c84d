import { readSettings, type Settings } from "./settings";

let current: Settings | undefined;

export function settings(): Settings {
  current ??= readSettings(process.env);
  return current;
}
