/** `FeatureCards` lives in `app/blocks/feature-cards/feature-cards.tsx`: what the build manifest calls it. */
export function sourceOf(kind: string): string {
  const name = kind.replace(/(?<=[a-z])[A-Z]/g, "-$&").toLowerCase();
  return `app/blocks/${name}/${name}.tsx`;
}
