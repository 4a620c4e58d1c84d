import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

const GATEWAY_URL = process.env.GATEWAY_URL ?? "http://127.0.0.1:8080";

/** What every page loads goes together: a dozen files of half a kilobyte cost more in requests than they save. */
const sharedChunks = [
  {
    name: "vendor",
    test: /node_modules\/(react|react-dom|react-router|scheduler|clsx)\/|rolldown\/runtime/,
    priority: 9,
  },
  // Every page has these.
  {
    name: "shared",
    test: /\/app\/(features\/chrome\/(?!account-card)|blocks\/(render|registry|hydration|chunks)|lib\/(analytics\/(?!identity)|handoff\/token-arrival|i18n\/(?!journeys|account|consent|subscription|withdrawal)|locale|page|alive|arrived-token)|features\/account\/token-arrival|ui\/art\/avatar)|vite\/preload-helper/,
    priority: 5,
  },
  // Waits for texts: nobody else may wait along.
  { name: "journeys", test: /\/app\/lib\/i18n\/journeys/, priority: 4 },
  { name: "account-texts", test: /\/app\/lib\/i18n\/account/, priority: 4 },
  { name: "subscription-texts", test: /\/app\/lib\/i18n\/subscription/, priority: 4 },
  { name: "withdrawal-texts", test: /\/app\/lib\/i18n\/withdrawal/, priority: 4 },
  // What half of the blocks use. Parts of a few blocks stay out of everybody else's way.
  {
    name: "shared",
    test: /\/app\/(lib\/(?!handoff|i18n\/consent|load-script)|ui\/(art|button|dialog(?!\/confirm)|error-screen|icon|link|notice|paint|picture|prose|section-header|spinner|tabs))\//,
    minShareCount: 4,
    priority: 1,
  },
  {
    name: "plans",
    test: /\/app\/(blocks\/plan-list\/plan-(body|price)|ui\/choice-card)/,
    minShareCount: 2,
    priority: 1,
  },
  // A hundred bytes each, in whatever plays.
  { name: "sound", test: /\/app\/(lib\/(sounding|clock-text)|features\/player\/seek\.ts)/, priority: 6 },
  { name: "slider", test: /\/app\/(ui\/slider|lib\/media)/, minShareCount: 2, priority: 2 },
  { name: "player", test: /\/app\/features\/player/, minShareCount: 2, priority: 2 },
  { name: "cards", test: /\/app\/ui\/(story-card|stars|transcript)/, minShareCount: 2, priority: 2 },
  { name: "forms", test: /\/app\/ui\/(checkbox|field|progress-bar)\//, minShareCount: 2, priority: 1 },
];

export default defineConfig(({ command }) => ({
  // React Router's plugin wants a whole app around it; unit tests bring only parts.
  plugins: [tailwindcss(), !process.env.VITEST && reactRouter()],
  resolve: { tsconfigPaths: true },
  build: {
    // The server reads it to link the chunks of the blocks a page uses.
    manifest: true,
    assetsInlineLimit: 0,
    target: "es2023",
    // A block's script names its style sheets only: the page links its scripts itself, and the list of all of them is long.
    modulePreload: { resolveDependencies: (_, files) => files.filter((file) => file.endsWith(".css")) },
  },
  // One file without node_modules: the image holds Node and this build, nothing else.
  ssr: command === "build" ? { noExternal: true as const } : {},
  environments: {
    client: { build: { rollupOptions: { output: { codeSplitting: { groups: sharedChunks } } } } },
    ssr: { build: { rollupOptions: { input: "./server/app.ts", output: { codeSplitting: false } } } },
  },
  server: { proxy: { "/api": GATEWAY_URL, "/v1": GATEWAY_URL, "/validate-token": GATEWAY_URL } },
  test: {
    environment: "node",
    // Style sheets are empty in unit tests, but for the one that pictures take their colours from.
    css: { include: [/tokens\.css\?raw/] },
    include: ["app/**/*.test.{ts,tsx}", "server/**/*.test.ts", "e2e/report/*.test.ts"],
  },
}));
