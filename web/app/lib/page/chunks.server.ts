import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The files of the client build that a page needs, from the build manifest. */

interface ManifestEntry {
  file: string;
  css?: string[];
  imports?: string[];
  dynamicImports?: string[];
}

export type Manifest = Record<string, ManifestEntry>;

export interface ChunkFiles {
  modules: string[];
  styles: string[];
}

/**
 * Scripts of the sources with all imports, and their style sheets. A text of `texts` is included if one of the scripts
 * imports it.
 */
export function chunkFiles(sources: string[], texts: string[], manifest: Manifest = buildManifest()): ChunkFiles {
  const chunks = withImports(sources, manifest);
  const imported = new Set([...chunks].flatMap(({ dynamicImports = [] }) => dynamicImports));
  withImports(
    texts.filter((text) => imported.has(text)),
    manifest,
    chunks,
  );
  return {
    modules: [...chunks].map(({ file }) => `/${file}`),
    styles: [...chunks].flatMap(({ css = [] }) => css.map((file) => `/${file}`)),
  };
}

function withImports(keys: string[], manifest: Manifest, found = new Set<ManifestEntry>()): Set<ManifestEntry> {
  for (const key of keys) {
    const entry = manifest[key];
    if (!entry || found.has(entry)) continue;
    found.add(entry);
    withImports(entry.imports ?? [], manifest, found);
  }
  return found;
}

let manifestCache: Manifest | undefined;

function buildManifest(): Manifest {
  manifestCache ??= readManifest();
  return manifestCache;
}

/** The development server has no manifest and needs none. */
function readManifest(): Manifest {
  const file = join(import.meta.dirname, "../client/.vite/manifest.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Manifest) : {};
}
