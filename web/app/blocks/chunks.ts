/** `FeatureCards` lives in `app/blocks/feature-cards/feature-cards.tsx`: what the build manifest calls it. */
export function sourceOf(kind: string): string {
  const name = kind.replace(/(?<=[a-z])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g, "-$&").toLowerCase();
  return `app/blocks/${name}/${name}.tsx`;
}

interface Nesting {
  __typename: string;
  sections?: readonly Nesting[];
  backgroundSection?: Nesting | null;
}

/** Every kind of block on a page, those inside other blocks included, each once. */
export function kindsOf(sections: readonly Nesting[]): string[] {
  const found = sections.flatMap((section) => [
    section.__typename,
    ...kindsOf(section.sections ?? []),
    ...kindsOf(section.backgroundSection ? [section.backgroundSection] : []),
  ]);
  return [...new Set(found)];
}
