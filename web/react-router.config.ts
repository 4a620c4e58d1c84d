import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "app",
  ssr: true,
  // The whole route table fits in one small file; discovering it lazily would need an endpoint the gateway does not have.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
