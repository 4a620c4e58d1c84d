import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

const GATEWAY_URL = process.env.GATEWAY_URL ?? "http://127.0.0.1:8080";

/** Scripts of every page share one chunk: a dozen files of half a kilobyte cost more in requests than they save. */
const sharedChunks = [
  {
    name: "vendor",
    test: /node_modules\/(react|react-dom|react-router|scheduler|clsx)\/|rolldown\/runtime/,
    priority: 9,
  },
  {
    name: "shared",
    test: /\/app\/(features\/chrome\/(?!account-card)|blocks\/(render|registry|hydration|chunks)|lib\/(analytics\/(?!identity)|handoff\/token-sign-in-result|i18n\/(?!journeys|account|consent|subscription|withdrawal)|locale|page|browser\/hydrated|session\/url-token)|features\/account\/token-sign-in\/token-sign-in|ui\/art\/avatar)|vite\/preload-helper/,
    priority: 5,
  },
  // These wait for their texts: in a chunk of their own they delay no other script.
  { name: "journeys", test: /\/app\/lib\/i18n\/journeys/, priority: 4 },
  { name: "account-texts", test: /\/app\/lib\/i18n\/account/, priority: 4 },
  { name: "subscription-texts", test: /\/app\/lib\/i18n\/subscription/, priority: 4 },
  { name: "withdrawal-texts", test: /\/app\/lib\/i18n\/withdrawal/, priority: 4 },
  // Parts of at least four blocks; parts of fewer load with the blocks that use them.
  {
    name: "shared",
    test: /\/app\/ui\/(art|button|dialog(?!\/confirm)|dynamic-styles|error-screen|icon|link|notice|picture|prose|section-header|spinner|tabs)\//,
    minShareCount: 4,
    priority: 1,
  },
  {
    name: "plans",
    test: /\/app\/(blocks\/plan-list\/plan-(body|price)|ui\/choice-card)/,
    minShareCount: 2,
    priority: 1,
  },
  // A hundred bytes each, used by every player.
  {
    name: "sound",
    test: /\/app\/(lib\/(browser\/exclusive-audio|format\/clock-text)|features\/player\/seek\.ts)/,
    priority: 6,
  },
  { name: "slider", test: /\/app\/(ui\/slider|lib\/browser\/media)/, minShareCount: 2, priority: 2 },
  { name: "player", test: /\/app\/features\/player/, minShareCount: 2, priority: 2 },
  { name: "cards", test: /\/app\/ui\/(story-card|stars|transcript)/, minShareCount: 2, priority: 2 },
  { name: "forms", test: /\/app\/ui\/(checkbox|field|progress-bar)\//, minShareCount: 2, priority: 1 },
];

/** The development server needs no `STILLPOINT_ENV`. The built renderer does: without one it is in production. */
const developmentSettings: Plugin = {
  name: "development-settings",
  apply: "serve",
  config: () => {
    process.env.STILLPOINT_ENV ||= "development";
  },
};

export default defineConfig(({ command }) => ({
  // React Router's plugin needs a whole app; unit tests load only parts of it.
  plugins: [tailwindcss(), developmentSettings, !process.env.VITEST && reactRouter()],
  resolve: { tsconfigPaths: true },
  build: {
    // The server reads it to link the chunks of the blocks a page uses.
    manifest: true,
    assetsInlineLimit: 0,
    target: "es2023",
    // A block preloads only its style sheets: the page links the scripts itself, and their list is long.
    modulePreload: { resolveDependencies: (_, files) => files.filter((file) => file.endsWith(".css")) },
  },
  // One file without node_modules: the image contains Node and this build only.
  ssr: command === "build" ? { noExternal: true as const } : {},
  environments: {
    client: { build: { rollupOptions: { output: { codeSplitting: { groups: sharedChunks } } } } },
    ssr: { build: { rollupOptions: { input: "./server/app.ts", output: { codeSplitting: false } } } },
  },
  server: { proxy: { "/api": GATEWAY_URL, "/v1": GATEWAY_URL, "/validate-token": GATEWAY_URL } },
  test: {
    environment: "node",
    env: { STILLPOINT_ENV: "development" },
    // A busy machine is slow. Only a test that fails waits this long.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    setupFiles: ["./scripts/test-setup.ts"],
    reporters: ["default", "./scripts/failed-tests.ts"],
    // Style sheets are empty in unit tests, except the tokens that pictures read their colours from.
    css: { include: [/tokens\.css\?raw/] },
    include: ["app/**/*.test.{ts,tsx}", "server/**/*.test.ts", "e2e/report/*.test.ts"],
  },
}));
