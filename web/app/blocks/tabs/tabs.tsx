import { useState } from "react";
import { FeatureIcon } from "~/ui/icon/feature-icon";
import { Icon } from "~/ui/icon/icon";
import { Picture } from "~/ui/picture/picture";
import { SectionHeader } from "~/ui/section-header/section-header";
import { Tabs as TabBar } from "~/ui/tabs/tabs";
import type { BlockProps } from "../registry";

type Tab = BlockProps<"Tabs">["block"]["tabs"][number];

export default function Tabs({ block }: BlockProps<"Tabs">) {
  const [activeId, setActive] = useState(block.tabs[0]?.id ?? "");
  const active = block.tabs.find(({ id }) => id === activeId) ?? block.tabs[0];
  if (!active) return null;
  return (
    <section className="wrap section">
      <SectionHeader title={block.heading} />
      {block.tabs.length > 1 ? (
        <TabBar
          label={block.heading ?? active.title}
          tabs={block.tabs.map(({ id, label }) => ({ key: id, label }))}
          active={active.id}
          onChange={setActive}
          look="middle"
        >
          <Panel key={active.id} tab={active} heading={block.heading ? "h3" : "h2"} />
        </TabBar>
      ) : (
        <Panel tab={active} heading={block.heading ? "h3" : "h2"} />
      )}
    </section>
  );
}

function Panel({ tab, heading: Heading }: { tab: Tab; heading: "h2" | "h3" }) {
  return (
    <div className="grid animate-enter items-center gap-8 rounded-card bg-card p-6 shadow-rest md:p-10 lg:grid-cols-2 lg:gap-14">
      <div>
        {tab.icon && (
          <span className="mb-5 grid size-12 place-items-center rounded-field bg-mist text-action">
            <FeatureIcon name={tab.icon} />
          </span>
        )}
        <Heading className="display text-2xl">{tab.title}</Heading>
        <ul className="mt-5 space-y-3">
          {tab.details.map((detail) => (
            <li key={detail} className="flex gap-3 text-muted">
              <Icon name="check" className="mt-0.5 text-success" />
              <span>{detail}</span>
            </li>
          ))}
        </ul>
      </div>
      {tab.image && <Picture image={tab.image} className="aspect-4/3 w-full rounded-card object-cover" />}
    </div>
  );
}
