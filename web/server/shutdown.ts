import type { Server } from "node:http";
import { log } from "../app/lib/server/log.server";

/** On a signal: refuses new connections, finishes open responses, and exits after the grace period. */
export function stopGracefully(server: Server, graceMs: number): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log("info", "stopping", { signal });
    server.close(() => process.exit(0));
    server.closeIdleConnections();
    setTimeout(() => {
      log("warn", "grace period over; closing open connections");
      server.closeAllConnections();
    }, graceMs).unref();
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
