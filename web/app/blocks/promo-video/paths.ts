/** The promotion belongs to one campaign, recognised by its paths. */
const PATHS = ["istpanoramadev", "istanbulpanoramasi"] as const;

export function isPromoted(pathname: string): boolean {
  return PATHS.some((path) => pathname.includes(path));
}
