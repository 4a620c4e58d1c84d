/**
 * Scripts wait for the first paint. React Router's head preloads 120 kB of them, which on a slow line take the first second away
 * from the style sheet and the font; the page is readable without. Once it is painted everything is fetched at once.
 */

const PRELOAD = /<link rel="modulepreload"[^>]*?href="([^"]+)"[^>]*>/g;
const MODULE_SCRIPT = /<script type="module" async="">([\s\S]*?)<\/script>/;
const STATIC_IMPORT = /^import (?:\* as (\w+) from )?("[^"]+");?$/gm;

export function deferScripts(html: string): string {
  // What a block shares with the route is asked for by both.
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
    // A page opened in the background is never painted: it does not wait.
    "if (!document.hidden) await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));",
    `for (const href of ${JSON.stringify(preloads)}) document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));`,
    `const [${names}] = await Promise.all([${modules}]);`,
    code.replace(STATIC_IMPORT, "").trim(),
  ].join("\n");
}
