import { petal } from "./shapes";

const TURNS = [-72, -36, 0, 36, 72] as const;

/** The logo: five petals opening upwards. */
export function LotusMark({ className }: { className?: string }) {
  return (
    <svg viewBox="-32 -34 64 44" aria-hidden="true" className={className}>
      {TURNS.map((turn) => (
        <path
          key={turn}
          d={petal(30, 17)}
          transform={`translate(0 6) rotate(${turn})`}
          fill="currentColor"
          opacity={turn === 0 ? 1 : Math.abs(turn) === 36 ? 0.7 : 0.4}
        />
      ))}
    </svg>
  );
}
