import { Component, type ComponentType, type ErrorInfo, lazy, type ReactNode, Suspense } from "react";
import { registry } from "./registry";
import type { SectionView } from "./types";

const components = Object.fromEntries(
  Object.entries(registry).map(([kind, load]) => [kind, lazy(load as () => Promise<{ default: AnyBlock }>)]),
);

// Each entry takes the block of its own kind, which `registry` has proved; a lookup by name cannot say so.
type AnyBlock = ComponentType<{ block: SectionView }>;

export function Blocks({ sections }: { sections: SectionView[] }) {
  return sections.map((section) => {
    const Block = components[section.__typename];
    if (!Block) return <UnknownBlock key={section.id} kind={section.__typename} />;
    return (
      <BlockBoundary key={section.id} kind={section.__typename}>
        <Suspense>
          <Block block={section} />
        </Suspense>
      </BlockBoundary>
    );
  });
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
