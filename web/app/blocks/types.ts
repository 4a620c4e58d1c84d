import type { PageContentFragment } from "~/gen/graphql";
import type { Locale } from "~/lib/locale";
import type { presenters } from "./presenters.server";

/** A block as GraphQL sends it. */
export type Section = PageContentFragment["sections"][number];
export type Kind = Section["__typename"];
export type Data<K extends Kind> = Extract<Section, { __typename: K }>;

/** What a presenter may know besides the block: the path decides all of it, so pages can be cached. */
export interface PageContext {
  locale: Locale;
  template: string;
}

type Presenters = typeof presenters;

/** A block as its component takes it: what its presenter made of it, or the data as it came. */
export type View<K extends Kind> = K extends keyof Presenters ? ReturnType<Presenters[K]> : Data<K>;
export type SectionView = { [K in Kind]: View<K> & { __typename: K; id: string } }[Kind];
