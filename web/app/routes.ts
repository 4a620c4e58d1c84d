import { index, type RouteConfig, route } from "@react-router/dev/routes";

export default [
  // Every page of the site: which blocks it is made of is content.
  route(":locale/*", "routes/page.tsx"),
  // Paths without a locale.
  index("routes/elsewhere.tsx", { id: "start" }),
  route("*", "routes/elsewhere.tsx"),
] satisfies RouteConfig;
