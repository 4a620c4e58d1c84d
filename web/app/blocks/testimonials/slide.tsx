import { useTexts } from "~/lib/i18n";
import { Avatar } from "~/ui/art/avatar";
import { Icon } from "~/ui/icon/icon";
import { Link } from "~/ui/link/link";
import { Picture } from "~/ui/picture/picture";
import type { Data } from "../types";

interface SlideProps {
  testimonial: Data<"Testimonials">["testimonials"][number];
  label: string;
}

export function Slide({ testimonial, label }: SlideProps) {
  const t = useTexts();
  return (
    <li
      aria-roledescription="slide"
      aria-label={label}
      className="flex w-full shrink-0 snap-center flex-col items-center justify-between rounded-card bg-card px-6 py-8 text-center shadow-rest md:px-14 md:py-12"
    >
      {testimonial.image && (
        <Picture image={testimonial.image} className="mb-6 aspect-5/2 w-full rounded-card object-cover" />
      )}
      <div className="my-auto grid justify-items-center">
        <QuoteMark />
        <blockquote className="display mt-4 text-xl text-balance md:text-2xl" dir="auto">
          {testimonial.quote}
        </blockquote>
      </div>
      <div className="mt-8 flex items-center gap-3 text-start">
        {testimonial.personImage ? (
          <Picture image={testimonial.personImage} className="size-11 rounded-pill object-cover" />
        ) : (
          <Avatar name={testimonial.personName} />
        )}
        <div className="text-sm">
          <p className="font-bold">
            <bdi>{testimonial.personName}</bdi>
          </p>
          {testimonial.personTitle && <p className="text-muted">{testimonial.personTitle}</p>}
        </div>
        {testimonial.companyLogo && <Picture image={testimonial.companyLogo} className="ms-4 h-6 w-auto" />}
      </div>
      {testimonial.videoUrl && (
        <Link url={testimonial.videoUrl} className="mt-6 inline-flex min-h-11 items-center gap-2 font-bold text-action">
          <Icon name="play" />
          {t("testimonials.video")}
        </Link>
      )}
    </li>
  );
}

function QuoteMark() {
  return (
    <svg viewBox="0 0 32 24" width="32" height="24" aria-hidden="true" className="text-action opacity-40">
      <path
        fill="currentColor"
        d="M0 24V14C0 6 4 1.5 12 0l1.5 3C9 4.5 7 7 7 10.5h6V24H0Zm18 0V14c0-8 4-12.5 12-14l1.5 3C27 4.5 25 7 25 10.5h6V24H18Z"
      />
    </svg>
  );
}
