import type { LeafBlocksFragment, PageContentFragment } from "~/gen/graphql";
import type { Locale } from "~/lib/locale";
import type { presenters } from "./presenting/presenters.server";

/** A block from GraphQL. */
export type Section = PageContentFragment["sections"][number];
export type Kind = Section["__typename"];
export type Data<K extends Kind> = Extract<Section, { __typename: K }>;

/** Blocks with inner blocks, which are never containers. */
export type ContainerKind = "Hero" | "LandingHero" | "SuccessHero";
export type LeafKind = Exclude<Kind, ContainerKind>;
/** An inner block from GraphQL. */
export type Leaf = LeafBlocksFragment;

/** A presenter's context. It depends on the path only, so that pages can be cached. */
export interface PageContext {
  locale: Locale;
  template: string;
}

type Presenters = typeof presenters;

type LeafOf<K extends LeafKind> = K extends keyof Presenters ? ReturnType<Presenters[K]> : Data<K>;
export type LeafView = { [K in LeafKind]: LeafOf<K> & { __typename: K; id: string } }[LeafKind];

/** A container with presented inner blocks. */
type Filled<D> = {
  [F in keyof D]: F extends "sections" ? LeafView[] : F extends "backgroundSection" ? LeafView | null : D[F];
};

/** A block's component props: the presenter's result, or the unchanged data. */
export type View<K extends Kind> = K extends LeafKind ? LeafOf<K> : Filled<Data<K>>;
export type SectionView = { [K in Kind]: View<K> & { __typename: K; id: string } }[Kind];
