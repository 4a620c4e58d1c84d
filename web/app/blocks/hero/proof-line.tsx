import { Star } from "~/ui/icon/icon";

/** Stars only before a text about a rating. */
export function ProofLine({ text }: { text: string }) {
  const rated = /\d/.test(text);
  return (
    <p className="mt-8 flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-hairline pt-5 text-sm font-medium text-muted">
      {rated && (
        <span aria-hidden="true" className="flex gap-0.5 text-star">
          {[1, 2, 3, 4, 5].map((star) => (
            <Star key={star} filled />
          ))}
        </span>
      )}
      <bdi>{text}</bdi>
    </p>
  );
}
