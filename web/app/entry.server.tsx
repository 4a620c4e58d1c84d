import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { renderToPipeableStream } from "react-dom/server";
import { type EntryContext, type HandleErrorFunction, ServerRouter } from "react-router";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "./lib/i18n/catalogues.server";
import { localeOf } from "./lib/locale";
import { deferScripts } from "./lib/page/defer-scripts";
import { log } from "./lib/server/log.server";

export const streamTimeout = 8_000;

/** Sends the whole page at once: the gateway caches it, so streaming would gain nothing. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  headers.set("content-type", "text/html; charset=utf-8");
  forbidKeepingFaults(status, headers);
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const page = await render(request, context);
  if (page.faults > 0) headers.set("cache-control", "no-store");
  return new Response(deferScripts(page.html), { status, headers });
}

interface RenderedPage {
  html: string;
  /** Blocks that failed on the server and are left to the browser. */
  faults: number;
}

function render(request: Request, context: EntryContext): Promise<RenderedPage> {
  const locale = localeOf(new URL(request.url).pathname);
  let faults = 0;
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(
      <TextsProvider locale={locale} catalogue={catalogues[locale]}>
        <ServerRouter context={context} url={request.url} />
      </TextsProvider>,
      {
        // Keeps large blocks in place, instead of moving them there by scripts.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onAllReady() {
          clearTimeout(timer);
          const body = new PassThrough();
          pipe(body);
          text(body).then((html) => resolve({ html, faults }), reject);
        },
        onShellError: reject,
        onError(error) {
          faults += 1;
          log("error", "a part of the page failed to render", { error: describe(error) });
        },
      },
    );
    const timer = setTimeout(abort, streamTimeout);
  });
}

function forbidKeepingFaults(status: number, headers: Headers): void {
  if (status < 500) return;
  headers.set("cache-control", "no-store");
  headers.delete("surrogate-key");
}

export function handleDataRequest(response: Response): Response {
  forbidKeepingFaults(response.status, response.headers);
  return response;
}

export const handleError: HandleErrorFunction = (error, { request }) => {
  if (!request.signal.aborted)
    log("error", "page failed", { path: new URL(request.url).pathname, error: describe(error) });
};

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
