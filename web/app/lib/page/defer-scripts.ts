/**
 * Defers scripts until the first paint. React Router's head preloads 120 kB of scripts, which would delay style sheet
 * and font on a slow connection. The page is readable without them; after the first paint they load at once.
 */

const PRELOAD = /<link rel="modulepreload"[^>]*?href="([^"]+)"[^>]*>/g;
const MODULE_SCRIPT = /<script type="module" async="">([\s\S]*?)<\/script>/;
const STATIC_IMPORT = /^import (?:\* as (\w+) from )?("[^"]+");?$/gm;

export function deferScripts(html: string): string {
  // Route and block both preload a shared script.
  const preloads = [...new Set([...html.matchAll(PRELOAD)].map(([, href]) => href))];
  return html
    .replace(PRELOAD, "")
    .replace(
      MODULE_SCRIPT,
      (_, code: string) => `<script type="module" async="">${afterFirstPaint(code, preloads)}</script>`,
    );
}

function afterFirstPaint(code: string, preloads: (string | undefined)[]): string {
  const imports = [...code.matchAll(STATIC_IMPORT)];
  const names = imports.map(([, name]) => name ?? "").join(", ");
  const modules = imports.map(([, , url]) => `import(${url})`).join(", ");
  return [
    // A page opened in the background is never painted, so it does not wait.
    "if (!document.hidden) await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));",
    `for (const href of ${JSON.stringify(preloads)}) document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));`,
    `const [${names}] = await Promise.all([${modules}]);`,
    code.replace(STATIC_IMPORT, "").trim(),
  ].join("\n");
}
