/** The renderer as one process: pages, files of the client build, and a health check. */
import { createServer } from "node:http";
import { join } from "node:path";
import * as build from "virtual:react-router/server-build";
import { createRequestListener } from "@react-router/node";
import { log } from "../app/lib/server/log.server";
import { SettingsFault } from "../app/lib/server/settings";
import { settings } from "../app/lib/server/settings.server";
import { loadFiles } from "./files";
import { stopGracefully } from "./shutdown";

const EX_CONFIG = 78;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
/** Longer than a proxy's keep-alive, so that it never writes into a closed connection. */
const KEEP_ALIVE_MS = 75_000;

function main(): void {
  const { host, port, shutdownGraceMs } = settings();
  const files = loadFiles(join(import.meta.dirname, "../client"));
  const pages = createRequestListener({ build, mode: "production" });

  const server = createServer((request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { allow: "GET, HEAD" }).end();
      return;
    }
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    if (path === "/healthz") {
      response.writeHead(200, { "content-type": "text/plain", "cache-control": "no-store" }).end("ok\n");
      return;
    }
    if (!files.serve(path, request, response)) pages(request, response);
  });
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;

  server.on("error", (fault: NodeJS.ErrnoException) => {
    const taken = fault.code === "EADDRINUSE";
    log("error", taken ? `${host}:${port} is in use: set PORT to a free port` : fault.message);
    process.exit(1);
  });
  server.listen(port, host, () => log("info", "ready", { address: `http://${host}:${port}` }));
  stopGracefully(server, shutdownGraceMs);
}

try {
  main();
} catch (fault) {
  if (!(fault instanceof SettingsFault)) throw fault;
  for (const line of fault.message.split("\n")) log("error", line);
  process.exit(EX_CONFIG);
}
