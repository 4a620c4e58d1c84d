type Level = "info" | "warn" | "error";

/** One JSON line per event, as all services write them. */
export function log(level: Level, message: string, fields: Record<string, unknown> = {}): void {
  const line = JSON.stringify({ timestamp: new Date().toISOString(), level, service: "web", message, ...fields });
  process[level === "error" ? "stderr" : "stdout"].write(`${line}\n`);
}
