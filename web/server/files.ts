import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, relative, sep } from "node:path";

/** The client build in memory: a path outside of the table cannot reach the disk. */

interface StaticFile {
  body: Buffer;
  headers: Record<string, string>;
}

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mp3": "audio/mpeg",
  ".mp4": "video/mp4",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".vtt": "text/vtt; charset=utf-8",
  ".wav": "audio/wav",
  ".webm": "video/webm",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/** Hashed names never change their content. */
const HASHED = "/assets/";
const FOREVER = "public, max-age=31536000, immutable";
const FOR_AN_HOUR = "public, max-age=3600";

export interface Files {
  /** Answers the request if its path is a file; otherwise returns false. */
  serve(path: string, request: IncomingMessage, response: ServerResponse): boolean;
}

export function loadFiles(root: string): Files {
  const files = new Map<string, StaticFile>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(root, file).split(sep).join("/")}`;
    // Build metadata is not served.
    if (!path.startsWith("/.")) files.set(path, readFile(file, path));
  }
  return { serve: (path, request, response) => serve(files.get(path), request, response) };
}

function readFile(file: string, path: string): StaticFile {
  const body = readFileSync(file);
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  return {
    body,
    headers: {
      etag,
      "content-type": TYPES[extname(path)] ?? "application/octet-stream",
      "content-length": String(body.byteLength),
      "cache-control": path.startsWith(HASHED) ? FOREVER : FOR_AN_HOUR,
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
    },
  };
}

function serve(file: StaticFile | undefined, request: IncomingMessage, response: ServerResponse): boolean {
  if (!file) return false;
  if (request.headers["if-none-match"] === file.headers.etag) {
    const { "content-length": _, ...headers } = file.headers;
    response.writeHead(304, headers).end();
    return true;
  }
  const part = partOf(request.headers.range, file.body.byteLength);
  if (part === "outside") {
    response.writeHead(416, { "content-range": `bytes */${file.body.byteLength}` }).end();
    return true;
  }
  const body = part ? file.body.subarray(part.start, part.end + 1) : file.body;
  const range = part && { "content-range": `bytes ${part.start}-${part.end}/${file.body.byteLength}` };
  const headers = { ...file.headers, "content-length": String(body.byteLength), ...range };
  response.writeHead(part ? 206 : 200, headers).end(request.method === "HEAD" ? undefined : body);
  return true;
}

interface Part {
  start: number;
  /** The last byte. */
  end: number;
}

/** The range of a seeking player. Multiple or invalid ranges get the full file. */
export function partOf(range: string | undefined, size: number): Part | "outside" | null {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(range ?? "") ?? [];
  if (!from && !to) return null;
  const start = from ? Number(from) : Math.max(0, size - Number(to));
  if (from && to && Number(to) < start) return null;
  const end = from && to ? Math.min(Number(to), size - 1) : size - 1;
  return start > end ? "outside" : { start, end };
}
