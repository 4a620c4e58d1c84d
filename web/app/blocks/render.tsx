import {
  Component,
  type ComponentType,
  type ErrorInfo,
  lazy,
  memo,
  type ReactNode,
  Suspense,
  use,
  useSyncExternalStore,
} from "react";
import { gateOf, OPEN } from "./hydration";
import { registry } from "./registry";
import type { SectionView } from "./types";

const components = Object.fromEntries(
  Object.entries(registry).map(([kind, load]) => [kind, memo(lazy(load as () => Promise<{ default: AnyBlock }>))]),
);

// Each entry takes the block of its own kind, which `registry` has proved; a lookup by name cannot say so.
type AnyBlock = ComponentType<{ block: SectionView }>;

interface BlocksProps {
  sections: readonly SectionView[];
}

/** Every block of a page, each behind its own boundary. */
export function Blocks({ sections }: BlocksProps) {
  return sections.map((section) => (
    <div key={section.id} id={section.id} data-block-id={section.id}>
      <BlockBoundary kind={section.__typename}>
        <Suspense>
          <OnceAwake section={section} />
        </Suspense>
      </BlockBoundary>
    </div>
  ));
}

/** Blocks inside a block. They come to life with it, and bring no margins of their own. */
export function InnerBlocks({ sections }: BlocksProps) {
  return sections.map((section) => (
    <div key={section.id} id={section.id} data-block-id={section.id} className="nested">
      <BlockBoundary kind={section.__typename}>
        <Suspense>
          <Block section={section} />
        </Suspense>
      </BlockBoundary>
    </div>
  ));
}

const never = () => () => undefined;

/** True while the server's HTML is being taken over, false for whatever the browser draws itself. */
function useIsHydrating(): boolean {
  return useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
}

function OnceAwake({ section }: { section: SectionView }) {
  const isHydrating = useIsHydrating();
  use(isHydrating && typeof document !== "undefined" ? gateOf(section.id) : OPEN);
  return <Block section={section} />;
}

function Block({ section }: { section: SectionView }) {
  const Known = components[section.__typename];
  return Known ? <Known block={section} /> : <UnknownBlock kind={section.__typename} />;
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

/** One broken block must not take the page with it. */
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
