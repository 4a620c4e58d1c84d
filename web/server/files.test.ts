import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadFiles, partOf } from "./files";

let server: Server;
let root: string;
let origin: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "files-"));
  mkdirSync(join(root, "assets"));
  mkdirSync(join(root, ".vite"));
  mkdirSync(join(root, "audio"));
  writeFileSync(join(root, "audio/chime.wav"), "RIFF");
  writeFileSync(join(root, "audio/film.webm"), "film");
  writeFileSync(join(root, "assets/a-1234.js"), "export {};");
  writeFileSync(join(root, "favicon.svg"), "<svg/>");
  writeFileSync(join(root, ".vite/manifest.json"), "{}");
  const files = loadFiles(root);
  server = createServer((request, response) => {
    if (!files.serve(request.url ?? "/", request, response)) response.writeHead(404).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(root, { recursive: true });
});

describe("files of the client build", () => {
  it("are cached forever when their name contains a hash", async () => {
    const response = await fetch(`${origin}/assets/a-1234.js`);
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(await response.text()).toBe("export {};");
  });

  it("are revalidated after an hour otherwise", async () => {
    const first = await fetch(`${origin}/favicon.svg`);
    expect(first.headers.get("cache-control")).toBe("public, max-age=3600");
    const again = await fetch(`${origin}/favicon.svg`, {
      headers: { "if-none-match": first.headers.get("etag") ?? "" },
    });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
  });

  it("have their content type", async () => {
    const typeOf = async (path: string) => (await fetch(origin + path)).headers.get("content-type");
    expect([await typeOf("/audio/chime.wav"), await typeOf("/audio/film.webm")]).toEqual(["audio/wav", "video/webm"]);
  });

  it("have no body for HEAD", async () => {
    const response = await fetch(`${origin}/favicon.svg`, { method: "HEAD" });
    expect(response.headers.get("content-length")).toBe("6");
    expect(await response.text()).toBe("");
  });

  it.each(["/.vite/manifest.json", "/assets/../.vite/manifest.json", "/%2e%2e/etc/passwd", "/assets/"])(
    "do not include %s",
    async (path) => {
      expect((await fetch(origin + path)).status).toBe(404);
    },
  );
});

describe("a range of a file", () => {
  it.each([
    { range: undefined, part: null },
    { range: "bytes=0-3", part: { start: 0, end: 3 } },
    { range: "bytes=4-", part: { start: 4, end: 9 } },
    { range: "bytes=-2", part: { start: 8, end: 9 } },
    { range: "bytes=4-99", part: { start: 4, end: 9 } },
    { range: "bytes=10-", part: "outside" },
    { range: "bytes=-0", part: "outside" },
    { range: "bytes=5-2", part: null },
    { range: "bytes=0-1,4-5", part: null },
    { range: "lines=0-1", part: null },
  ])("for $range of ten bytes is $part", ({ range, part }) => {
    expect(partOf(range, 10)).toEqual(part);
  });

  it("is sent with its position", async () => {
    const response = await fetch(`${origin}/assets/a-1234.js`, { headers: { range: "bytes=7-8" } });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe("bytes 7-8/10");
    expect(await response.text()).toBe("{}");
  });

  it("of a recording is sent to a player", async () => {
    const response = await fetch(`${origin}/audio/chime.wav`, { headers: { range: "bytes=0-1" } });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-type")).toBe("audio/wav");
    expect(response.headers.get("accept-ranges")).toBe("bytes");
    expect(response.headers.get("content-length")).toBe("2");
  });

  it("outside of the file is refused", async () => {
    const response = await fetch(`${origin}/assets/a-1234.js`, { headers: { range: "bytes=99-" } });
    expect(response.status).toBe(416);
    expect(response.headers.get("content-range")).toBe("bytes */10");
  });
});
