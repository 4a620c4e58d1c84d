import {
  Component,
  type ComponentType,
  type ErrorInfo,
  memo,
  type ReactNode,
  type RefObject,
  Suspense,
  use,
  useEffect,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from "react";
import { UNSAFE_DataRouterContext } from "react-router";
import { replayPress } from "~/lib/browser/early-press";
import { HYDRATE_NOW, hydrateAll, hydrationOf } from "./hydration";
import { registry } from "./registry";
import type { Kind, SectionView } from "./types";

// `registry` is typed by kind; the lookup by name is not.
type AnyBlock = ComponentType<{ block: SectionView }>;

const modules = new Map<string, Promise<AnyBlock>>();

/** One promise per kind, because React needs the same one on every attempt. */
function moduleOf(kind: string): Promise<AnyBlock> | null {
  const known = modules.get(kind);
  if (known) return known;
  const load = registry[kind as Kind] as (() => Promise<{ default: AnyBlock }>) | undefined;
  if (!load) return null;
  const module: Promise<AnyBlock> = load().then((loaded) => {
    const value = memo(loaded.default);
    // Marks it as fulfilled, so that React renders without suspending.
    Object.assign(module, { status: "fulfilled", value });
    return value;
  });
  modules.set(kind, module);
  return module;
}

/** Loads the scripts of server-rendered blocks. Without its script a block cannot be hydrated, only rendered anew. */
export function loadSentBlocks(): Promise<unknown> {
  const sent = [...document.querySelectorAll<HTMLElement>("[data-kind]")];
  return loadBlocks(sent.map(({ dataset }) => dataset.kind ?? ""));
}

/** A load failure surfaces when the block renders. */
export function loadBlocks(kinds: readonly string[]): Promise<unknown> {
  return Promise.allSettled(kinds.map(moduleOf));
}

interface BlocksProps {
  sections: readonly SectionView[];
}

/** All blocks of a page, each in its own error boundary. */
export function Blocks({ sections }: BlocksProps) {
  return sections.map((section) => <TopBlock key={section.id} section={section} />);
}

function TopBlock({ section }: { section: SectionView }) {
  const element = useRef<HTMLDivElement>(null);
  return (
    <div ref={element} id={section.id} data-block-id={section.id} data-kind={section.__typename} data-asleep="">
      <BlockBoundary kind={section.__typename}>
        <Suspense>
          <HydratedBlock section={section} element={element} />
        </Suspense>
      </BlockBoundary>
    </div>
  );
}

/** Blocks inside a block: hydrated with it, without margins. */
export function InnerBlocks({ sections }: BlocksProps) {
  return sections.map((section) => (
    <div key={section.id} id={section.id} data-block-id={section.id} data-kind={section.__typename} className="nested">
      <BlockBoundary kind={section.__typename}>
        <Block section={section} />
      </BlockBoundary>
    </div>
  ));
}

/**
 * Hydrates all blocks before the router re-renders the page. Used once, above all blocks; a layout effect, because the
 * router subscribes in one.
 */
export function useHydrateBeforeNavigation(): void {
  const router = use(UNSAFE_DataRouterContext)?.router;
  useLayoutEffect(() => router?.subscribe(hydrateAll), [router]);
}

const never = () => () => undefined;

/** True during hydration, false for client-rendered blocks. */
function useIsHydrating(): boolean {
  return useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
}

function HydratedBlock({ section, element }: { section: SectionView; element: RefObject<HTMLDivElement | null> }) {
  const isHydrating = useIsHydrating();
  use(isHydrating && typeof document !== "undefined" ? hydrationOf(section.id) : HYDRATE_NOW);
  // Its effect runs after those of the block, which then handles the queued click.
  useEffect(() => {
    if (element.current) replayPress(element.current);
  }, [element]);
  return <Block section={section} />;
}

function Block({ section }: { section: SectionView }) {
  const module = moduleOf(section.__typename);
  if (!module) return <UnknownBlock kind={section.__typename} />;
  const Known = use(module);
  return <Known block={section} />;
}

const reported = new Set<string>();

function UnknownBlock({ kind }: { kind: string }) {
  if (!reported.has(kind)) {
    reported.add(kind);
    console.warn(JSON.stringify({ level: "warn", message: "A page has a block this build does not know", kind }));
  }
  return import.meta.env.DEV ? <DevelopmentBox>Unknown block: {kind}</DevelopmentBox> : null;
}

interface BoundaryProps {
  kind: string;
  children: ReactNode;
}

/** One failing block must not break the page. */
class BlockBoundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error(`Block ${this.props.kind} failed`, error, info.componentStack);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return import.meta.env.DEV ? <DevelopmentBox>{this.props.kind} failed: see the console</DevelopmentBox> : null;
  }
}

function DevelopmentBox({ children }: { children: ReactNode }) {
  return <p className="wrap my-6 border border-danger bg-danger-tint py-4 text-danger">{children}</p>;
}
