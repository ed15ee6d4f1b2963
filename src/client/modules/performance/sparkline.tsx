import { formatFixed } from '../../../descriptor/format.ts';
import own from './scorecard.module.css';

/** The last months of a figure as a line, with a text for screen readers. @param unit stands behind each figure */
export function Sparkline({
  values,
  title,
  unit = '',
}: {
  values: readonly (string | null)[];
  title: string;
  unit?: string;
}) {
  const points = values.flatMap((value, at) => (value === null ? [] : [{ at, value: Number(value) }]));
  if (points.length < 2) return <span className={own.faint}>–</span>;
  const all = points.map(({ value }) => value);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const x = (at: number) => 2 + (at * 76) / Math.max(1, values.length - 1);
  const y = (value: number) => (high === low ? 12 : 22 - ((value - low) * 20) / (high - low));
  const last = points.at(-1)!;
  return (
    <svg
      className={own.spark}
      viewBox="0 0 80 24"
      role="img"
      aria-label={`${title}: ${all.map((one) => `${formatFixed(String(one), 1)}${unit}`).join(', ')}`}
    >
      <polyline points={points.map(({ at, value }) => `${x(at)},${y(value)}`).join(' ')} />
      <circle cx={x(last.at)} cy={y(last.value)} r="2.5" />
    </svg>
  );
}
