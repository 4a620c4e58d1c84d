import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Which files of the client build a source file needs, from the build's own manifest. */

interface ManifestEntry {
  file: string;
  css?: string[];
  imports?: string[];
}

type Manifest = Record<string, ManifestEntry>;

export interface ChunkFiles {
  modules: string[];
  styles: string[];
}

let manifest: Manifest | undefined;

export function chunkFiles(source: string): ChunkFiles {
  manifest ??= readManifest();
  const entry = manifest[source];
  if (!entry) return { modules: [], styles: [] };
  return { modules: [`/${entry.file}`], styles: (entry.css ?? []).map((file) => `/${file}`) };
}

/** The development server has no manifest and needs none. */
function readManifest(): Manifest {
  const file = join(import.meta.dirname, "../client/.vite/manifest.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Manifest) : {};
}
