import { index, type RouteConfig, route } from "@react-router/dev/routes";

export default [
  // Pictures drawn from a name.
  route("art/:kind/:file", "routes/art.ts"),
  // Style sheets for the colours and letters content chooses.
  route("paint/:file", "routes/dynamic-styles.ts"),
  // Every block with sample content, for people who build and test them.
  route(":locale/gallery/:kind?", "routes/gallery.tsx"),
  // Every page of the site: which blocks it is made of is content.
  route(":locale/*", "routes/page.tsx"),
  // Paths without a locale.
  index("routes/locale-redirect.tsx", { id: "start" }),
  route("*", "routes/locale-redirect.tsx"),
] satisfies RouteConfig;
