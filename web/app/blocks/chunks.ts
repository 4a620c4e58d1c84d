/** `FeatureCards` is in `app/blocks/feature-cards/feature-cards.tsx`, its key in the build manifest. */
export function sourceOf(kind: string): string {
  const name = kind.replace(/(?<=[a-z])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g, "-$&").toLowerCase();
  return `app/blocks/${name}/${name}.tsx`;
}

interface Nesting {
  __typename: string;
  sections?: readonly Nesting[];
  backgroundSection?: Nesting | null;
}

/** The kinds of blocks on a page, including nested ones, each once. */
export function kindsOf(sections: readonly Nesting[]): string[] {
  const found = sections.flatMap((section) => [
    section.__typename,
    ...kindsOf(section.sections ?? []),
    ...kindsOf(section.backgroundSection ? [section.backgroundSection] : []),
  ]);
  return [...new Set(found)];
}
