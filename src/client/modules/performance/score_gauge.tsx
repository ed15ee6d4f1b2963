import { formatFixed, formatNumber } from '../../../descriptor/format.ts';
import type { ScorecardBand } from '../../../domain/performance/scorecard.ts';
import own from './scorecard.module.css';

/** Colours of bands that have none of their own, from the lowest to the highest. */
const TONES = [
  'var(--colorPaletteRedBackground3)',
  'var(--colorPaletteDarkOrangeBackground3)',
  'var(--colorPaletteLightGreenBackground3)',
  'var(--colorPaletteGreenBackground3)',
  'var(--colorBrandBackground)',
];
const NONE = 'var(--colorNeutralStroke1)';

const [WIDTH, MIDDLE_Y, RADIUS, THICK] = [232, 116, 84, 16];

const angleOf = (score: number, most: number) => Math.PI * (1 - Math.min(1, Math.max(0, score / most)));
const point = (angle: number, radius: number) =>
  [WIDTH / 2 + Math.cos(angle) * radius, MIDDLE_Y - Math.sin(angle) * radius] as const;
const at = ([x, y]: readonly [number, number]) => `${x.toFixed(2)} ${y.toFixed(2)}`;
const arc = (from: number, to: number) =>
  `M ${at(point(from, RADIUS))} A ${RADIUS} ${RADIUS} 0 0 1 ${at(point(to, RADIUS))}`;

/** The bands up to the highest score, each with its colour. */
export function partsOf(bands: readonly ScorecardBand[], most: number) {
  return bands
    .filter(({ from }) => from < most)
    .map(({ label, from, colour }, place, all) => ({
      label,
      from: Math.max(0, from),
      to: all[place + 1]?.from ?? most,
      colour: colour ?? TONES[Math.round((place * (TONES.length - 1)) / Math.max(1, all.length - 1))]!,
    }));
}

/** A score on the scale of its bands. */
export function ScoreGauge({
  score,
  band,
  bands,
  most,
  decimals,
}: {
  score: string | null;
  band: string | null;
  bands: readonly ScorecardBand[];
  most: number;
  decimals: number;
}) {
  const parts = partsOf(bands, most);
  const value = score === null ? null : Number(score);
  const needle = value === null ? null : angleOf(value, most);
  const inside = (from: number, to: number) => value !== null && value >= from && (value < to || to === most);
  const says = parts.map(({ label, from }) => `${label} from ${formatNumber(from, 2)}`).join(', ');
  return (
    <svg
      className={own.gauge}
      viewBox={`0 0 ${WIDTH} 132`}
      role="img"
      aria-label={`${score === null ? 'No score yet' : `Score ${formatFixed(score, decimals)}${band === null ? '' : `, ${band}`}`}. ${says}`}
    >
      {parts.length === 0 && <path d={arc(Math.PI, 0)} stroke={NONE} strokeWidth={THICK} />}
      {parts.map(({ label, from, to, colour }) => (
        <path
          key={label}
          d={arc(angleOf(from, most) - (from === 0 ? 0 : 0.015), angleOf(to, most) + (to === most ? 0 : 0.015))}
          stroke={colour}
          strokeWidth={inside(from, to) ? THICK + 6 : THICK}
          opacity={value === null || inside(from, to) ? 1 : 0.4}
        />
      ))}
      {parts.slice(1).map(({ label, from }) => {
        const [x, y] = point(angleOf(from, most), RADIUS + THICK + 4);
        return (
          <text
            key={label}
            x={x}
            y={y + 3}
            textAnchor={x < WIDTH / 2 - 8 ? 'end' : x > WIDTH / 2 + 8 ? 'start' : 'middle'}
          >
            {formatNumber(from, 2)}
          </text>
        );
      })}
      {needle !== null && (
        <polygon
          points={[
            point(needle, RADIUS - THICK / 2 - 5),
            point(needle + 0.07, RADIUS - THICK / 2 - 17),
            point(needle - 0.07, RADIUS - THICK / 2 - 17),
          ]
            .map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`)
            .join(' ')}
        />
      )}
      <text className={own.gaugeFigure} x={WIDTH / 2} y={MIDDLE_Y} textAnchor="middle">
        {score === null ? '–' : formatFixed(score, decimals)}
      </text>
    </svg>
  );
}
