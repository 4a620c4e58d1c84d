import { type ReactNode, useState } from "react";
import { useTexts } from "~/lib/i18n";
import { hash } from "~/lib/random";
import { Icon } from "../icon/icon";
import { petal, petalCount, SCENE, stars, waves } from "./shapes";

interface DuskProps {
  /** Same seed, same picture. */
  seed: string;
  className?: string;
  children?: ReactNode;
}

/** Dusk over water with a breathing lotus, drawn from the seed. */
export function Dusk({ seed, className, children }: DuskProps) {
  const t = useTexts();
  const [paused, setPaused] = useState(false);
  return (
    <div
      className={`dusk relative isolate overflow-hidden rounded-card ${className ?? ""}`}
      data-paused={paused || undefined}
    >
      <Scene seed={hash(seed)} />
      {children}
      <button
        type="button"
        onClick={() => setPaused(!paused)}
        aria-pressed={paused}
        aria-label={t("art.pause")}
        className="absolute bottom-3 end-3 grid motion-reduce:hidden size-11 place-items-center rounded-pill text-white/80 transition duration-200 hover:bg-white/10 hover:text-white"
      >
        <Icon name={paused ? "play" : "pause"} />
      </button>
    </div>
  );
}

/** Four in, two hold, six out. Under reduced motion the phases are text. */
export function BreathCaption() {
  const t = useTexts();
  return (
    <p className="absolute inset-x-0 bottom-3 grid h-11 place-items-center text-sm font-medium text-white">
      <span aria-hidden="true" className="breath-word breath-in">
        {t("art.in")}
      </span>
      <span aria-hidden="true" className="breath-word breath-hold">
        {t("art.hold")}
      </span>
      <span aria-hidden="true" className="breath-word breath-out">
        {t("art.out")}
      </span>
      <span className="breath-counted">{t("art.counted")}</span>
    </p>
  );
}

/** One element per layer, so that the compositor animates it without repainting. */
function Layer({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <svg
      viewBox={`${SCENE.start} ${SCENE.top} ${SCENE.width} ${SCENE.height}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      className={`absolute inset-0 size-full ${className ?? ""}`}
    >
      {children}
    </svg>
  );
}

function Scene({ seed }: { seed: number }) {
  const id = seed.toString(36);
  return (
    <>
      <Sky id={id} seed={seed} />
      <div className="dusk-grain absolute inset-0" />
      <Layer className="breath">
        <g fill="var(--color-lav)">
          <circle r="178" opacity="0.07" />
          <circle r="142" opacity="0.09" />
          <circle r="104" opacity="0.12" />
        </g>
      </Layer>
      <Lotus id={id} petals={petalCount(seed)} />
      <Layer>
        {waves(seed).map((path, depth) => (
          <path key={path} d={path} className={`wave wave-${depth + 1}`} />
        ))}
      </Layer>
    </>
  );
}

function Sky({ id, seed }: { id: string; seed: number }) {
  const area = { x: SCENE.start, y: SCENE.top, width: SCENE.width, height: SCENE.height };
  return (
    <Layer className="bg-night">
      <Glow id={`${id}a`} color="coral" x="50%" y="80%" r="62%" opacity={0.9} />
      <Glow id={`${id}b`} color="violet" x="14%" y="50%" r="82%" opacity={0.95} />
      <Glow id={`${id}c`} color="lav" x="86%" y="4%" r="64%" opacity={0.22} />
      {["b", "c", "a"].map((glow) => (
        <rect key={glow} {...area} fill={`url(#${id}${glow})`} />
      ))}
      {stars(seed, 16).map((star) => (
        <circle
          key={`${star.x} ${star.y}`}
          cx={star.x}
          cy={star.y}
          r={star.r}
          fill="var(--color-white)"
          opacity={star.opacity}
        />
      ))}
    </Layer>
  );
}

function Lotus({ id, petals }: { id: string; petals: number }) {
  return (
    <Layer className="breath breath-inner">
      <defs>
        <Leaf id={`${id}p`} root="coral" tip="lav" length={130} width={64} />
        <Leaf id={`${id}q`} root="gold" tip="coral" length={92} width={50} />
      </defs>
      <g opacity="0.62">
        <Ring count={petals} href={`#${id}p`} />
      </g>
      <g opacity="0.72">
        <Ring count={petals} href={`#${id}q`} half />
      </g>
      <circle r="30" fill="var(--color-gold)" opacity="0.25" />
      <circle r="11" fill="var(--color-cream)" />
    </Layer>
  );
}

interface GlowProps {
  id: string;
  color: "coral" | "violet" | "lav";
  x: string;
  y: string;
  r: string;
  opacity: number;
}

function Glow({ id, color, x, y, r, opacity }: GlowProps) {
  const fill = `var(--color-${color})`;
  return (
    <radialGradient id={id} cx={x} cy={y} r={r}>
      <stop stopColor={fill} stopOpacity={opacity} />
      <stop offset="1" stopColor={fill} stopOpacity="0" />
    </radialGradient>
  );
}

interface LeafProps {
  id: string;
  root: "coral" | "gold";
  tip: "coral" | "lav";
  length: number;
  width: number;
}

/** Bright at the root, nearly transparent at the tip: overlapping leaves form a glow. */
function Leaf({ id, root, tip, length, width }: LeafProps) {
  return (
    <>
      <linearGradient id={`${id}g`} x1="0" y1="1" x2="0" y2="0">
        <stop stopColor={`var(--color-${root})`} stopOpacity="0.85" />
        <stop offset="1" stopColor={`var(--color-${tip})`} stopOpacity="0.42" />
      </linearGradient>
      <path id={id} d={petal(length, width)} fill={`url(#${id}g)`} />
    </>
  );
}

function Ring({ count, href, half }: { count: number; href: string; half?: boolean }) {
  const step = 360 / count;
  const turns = Array.from({ length: count }, (_, index) => index * step + (half ? step / 2 : 0));
  return turns.map((turn) => <use key={turn} href={href} transform={`rotate(${turn})`} />);
}
