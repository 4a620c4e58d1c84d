import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

const GATEWAY_URL = process.env.GATEWAY_URL ?? "http://127.0.0.1:8080";

export default defineConfig(({ command }) => ({
  // React Router's plugin wants a whole app around it; unit tests bring only parts.
  plugins: [tailwindcss(), !process.env.VITEST && reactRouter()],
  resolve: { tsconfigPaths: true },
  build: {
    // The server reads it to link the chunks of the blocks a page uses.
    manifest: true,
    assetsInlineLimit: 0,
    target: "es2023",
  },
  // One file without node_modules: the image holds Node and this build, nothing else.
  ssr: command === "build" ? { noExternal: true as const } : {},
  environments: { ssr: { build: { rollupOptions: { input: "./server/app.ts", output: { codeSplitting: false } } } } },
  server: { proxy: { "/api": GATEWAY_URL } },
  test: {
    environment: "node",
    include: ["app/**/*.test.{ts,tsx}", "server/**/*.test.ts"],
  },
}));
