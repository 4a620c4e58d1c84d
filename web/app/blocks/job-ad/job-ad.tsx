import { Icon } from "~/ui/icon/icon";
import { Link } from "~/ui/link/link";
import { SectionHeader } from "~/ui/section-header/section-header";
import type { BlockProps } from "../registry";

export default function JobAd({ block }: BlockProps<"JobAd">) {
  const Heading = block.heading ? "h3" : "h2";
  return (
    <section className="wrap section">
      <SectionHeader title={block.heading} />
      <ul className="mx-auto max-w-[54rem] space-y-3">
        {block.jobs.map((job) => (
          <li
            key={job.link}
            className="group relative flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-card bg-card p-6 shadow-rest transition duration-200 ease-enter hover:shadow-raised md:px-8"
          >
            <div>
              <Heading className="text-lg font-bold">{job.jobName}</Heading>
              {job.tag && (
                <p className="mt-2 inline-flex rounded-pill bg-mist px-3 py-1 text-2xs font-bold text-action">
                  {job.tag}
                </p>
              )}
            </div>
            <Link
              url={job.link}
              aria-label={`${job.buttonLabel}: ${job.jobName}`}
              className="inline-flex min-h-11 items-center gap-2 font-bold text-action after:absolute after:inset-0 after:rounded-card"
            >
              {job.buttonLabel}
              <Icon
                name="arrow"
                mirrored
                className="size-4.5 transition duration-200 group-hover:translate-x-1 rtl:group-hover:-translate-x-1"
              />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
