import type { LeafBlocksFragment, PageContentFragment } from "~/gen/graphql";
import type { Locale } from "~/lib/locale";
import type { presenters } from "./presenting/presenters.server";

/** A block as GraphQL sends it. */
export type Section = PageContentFragment["sections"][number];
export type Kind = Section["__typename"];
export type Data<K extends Kind> = Extract<Section, { __typename: K }>;

/** Blocks with blocks inside; those inside are never containers themselves. */
export type ContainerKind = "Hero" | "LandingHero" | "SuccessHero";
export type LeafKind = Exclude<Kind, ContainerKind>;
/** A block inside a container, as GraphQL sends it. */
export type Leaf = LeafBlocksFragment;

/** What a presenter may know besides the block: the path decides all of it, so pages can be cached. */
export interface PageContext {
  locale: Locale;
  template: string;
}

type Presenters = typeof presenters;

type LeafOf<K extends LeafKind> = K extends keyof Presenters ? ReturnType<Presenters[K]> : Data<K>;
export type LeafView = { [K in LeafKind]: LeafOf<K> & { __typename: K; id: string } }[LeafKind];

/** A container whose inner blocks have been presented. */
type Filled<D> = {
  [F in keyof D]: F extends "sections" ? LeafView[] : F extends "backgroundSection" ? LeafView | null : D[F];
};

/** A block as its component takes it: what its presenter made of it, or the data as it came. */
export type View<K extends Kind> = K extends LeafKind ? LeafOf<K> : Filled<Data<K>>;
export type SectionView = { [K in Kind]: View<K> & { __typename: K; id: string } }[Kind];
