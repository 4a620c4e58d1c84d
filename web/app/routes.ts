import { index, type RouteConfig, route } from "@react-router/dev/routes";

export default [
  // Pictures generated from a name.
  route("art/:kind/:file", "routes/art.ts"),
  // Style sheets for colours and fonts from content.
  route("paint/:file", "routes/dynamic-styles.ts"),
  // The gallery of all blocks with sample content, for development and tests.
  route(":locale/gallery/:kind?", "routes/gallery.tsx"),
  // Ends the session that a mail about a new sign-in names.
  route(":locale/account/end-session", "routes/end-session.tsx"),
  // Every page: content decides its blocks.
  route(":locale/*", "routes/page.tsx"),
  // Paths without a locale.
  index("routes/locale-redirect.tsx", { id: "start" }),
  route("*", "routes/locale-redirect.tsx"),
] satisfies RouteConfig;
