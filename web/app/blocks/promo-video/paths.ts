/** The promotion belongs to one campaign; its pages are told by their path. */
const PATHS = ["istpanoramadev", "istanbulpanoramasi"] as const;

export function isPromoted(pathname: string): boolean {
  return PATHS.some((path) => pathname.includes(path));
}
