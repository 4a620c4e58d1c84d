interface ProgressBarProps {
  label: string;
  /** Percent. */
  value: number;
  /** Also shows the number beside the label. */
  valueText?: string;
}

/** SVG, because the width is dynamic and inline styles are forbidden. */
export function ProgressBar({ label, value, valueText }: ProgressBarProps) {
  const percent = Math.min(100, Math.max(0, Math.round(value)));
  return (
    <div>
      <p className="mb-2 flex items-baseline justify-between gap-4 text-sm font-semibold">
        <span>{label}</span>
        {valueText && <span className="money text-muted">{valueText}</span>}
      </p>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="overflow-hidden rounded-pill bg-mist forced-colors:border"
      >
        <svg width="100%" height="10" aria-hidden="true" className="progress-fill block text-action rtl:-scale-x-100">
          <rect width={`${percent}%`} height="10" rx="5" fill="currentColor" />
        </svg>
      </div>
    </div>
  );
}
