import { MessageBar, MessageBarBody } from '@fluentui/react-components';
import { TargetRegular } from '@fluentui/react-icons';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { formatNumber } from '../../../../descriptor/format.ts';
import type { ImpactView } from '../../../../domain/strategy/impact_view.ts';
import { analyse } from '../../../../domain/strategy/impact_view.ts';
import { EmptyState } from '../../../app/page.tsx';
import type { WidgetProps } from '../../../runtime/dashboard/widgets.ts';
import own from '../impact.module.css';
import { NoFigures, RootAtZero, TreeChoice, viewWords } from '../tree_choice.tsx';

/** The deviations from target of the rings, in percent; larger ones are outside. */
const RINGS = [5, 10, 20] as const;
const SIZE = 400;
const MIDDLE = SIZE / 2;
const OUTER = 165;

/** Distance from the centre: rings have equal distances, although their percentages double. */
function distance(off: number): number {
  const step = OUTER / (RINGS.length + 1);
  const at = RINGS.findIndex((ring) => off <= ring);
  if (at < 0) return Math.min(OUTER, step * RINGS.length + (step * (off - RINGS.at(-1)!)) / 40);
  const below = at === 0 ? 0 : RINGS[at - 1]!;
  return step * at + (step * (off - below)) / (RINGS[at]! - below);
}

const place = (angle: number, radius: number) => ({
  x: MIDDLE + radius * Math.sin((angle * Math.PI) / 180),
  y: MIDDLE - radius * Math.cos((angle * Math.PI) / 180),
});

function Rings({ view }: { view: ImpactView }) {
  const made = useMemo(() => analyse(view.nodes), [view.nodes]);
  if ('wrong' in made)
    return (
      <MessageBar intent="warning">
        <MessageBarBody>
          {made.wrong.join(' ')} <Link to={`/kpi_impact_landing/view/${view.tree!.id}`}>Open the tree</Link>
        </MessageBarBody>
      </MessageBar>
    );
  if (made.sectors.length === 0)
    return (
      <EmptyState
        icon={<TargetRegular />}
        title="No driver has an impact yet"
        text="Under Impact percentages, enter by how much each driver moves the root."
      />
    );
  const label = (no: number) => view.nodes.find((node) => node.no === no)!.label;
  const pulls = made.units ?? made.elasticity;
  const most = Math.max(...[...pulls.values()].map(Math.abs), 0) || 1;
  let turned = 0;
  const sectors = made.sectors.map((sector, at) => {
    const from = turned;
    turned += sector.angle;
    return { ...sector, place: at + 1, from, middle: from + sector.angle / 2, name: label(sector.no) };
  });
  const words = sectors.map(({ name, radius }) => `${name}: ${formatNumber(radius, 1)} % off`).join(', ');
  return (
    <div className={own.rings}>
      <svg
        viewBox={`-70 0 ${SIZE + 140} ${SIZE}`}
        role="img"
        aria-label={`Drivers of ${label(made.tree.root.no)}. ${words}`}
      >
        {RINGS.map((ring) => (
          <g key={ring}>
            <circle className={own.ring} cx={MIDDLE} cy={MIDDLE} r={distance(ring)} />
            <text x={MIDDLE + 2} y={MIDDLE - distance(ring) - 2}>
              {ring} %
            </text>
          </g>
        ))}
        <circle className={own.ring} cx={MIDDLE} cy={MIDDLE} r={OUTER} />
        {sectors.map(({ no, from }) => {
          const end = place(from, OUTER);
          return <line key={no} className={own.sector} x1={MIDDLE} y1={MIDDLE} x2={end.x} y2={end.y} />;
        })}
        {sectors.map(({ no, place: number, middle, radius, name }) => {
          const at = place(middle, distance(radius));
          const outside = place(middle, OUTER + 12);
          const size = 5 + (9 * Math.abs(pulls.get(no) ?? 0)) / most;
          return (
            <g key={no}>
              <circle className={own.dot} cx={at.x} cy={at.y} r={size}>
                <title>{`${name}: ${formatNumber(radius, 2)} % off`}</title>
              </circle>
              <text
                x={outside.x}
                y={outside.y}
                textAnchor={Math.abs(outside.x - MIDDLE) < 20 ? 'middle' : outside.x < MIDDLE ? 'end' : 'start'}
              >
                {number}
                <tspan className={own.name}> {name.length > 14 ? `${name.slice(0, 13)}…` : name}</tspan>
              </text>
            </g>
          );
        })}
      </svg>
      <section>
        {made.units !== null && <RootAtZero />}
        <p className={own.faint}>
          The nearer to the middle, the nearer to its target; the wider its sector, the more a driver matters.
        </p>
        <table className={own.drivers}>
          <thead>
            <tr>
              <th scope="col">Driver</th>
              <th scope="col" className={own.number}>
                Off target
              </th>
              <th scope="col" className={own.number}>
                {made.units === null ? 'Impact' : 'Root for 1 %'}
              </th>
            </tr>
          </thead>
          <tbody>
            {sectors
              .toSorted((a, b) => b.radius * b.angle - a.radius * a.angle)
              .map(({ no, place: number, name, radius }) => (
                <tr key={no}>
                  <th scope="row">
                    {number} {name}
                  </th>
                  <td className={own.number}>{formatNumber(radius, 2)} %</td>
                  <td className={own.number}>
                    {made.units === null
                      ? `${formatNumber(made.shares.get(no) ?? 0, 2)} %`
                      : formatNumber(made.units.get(no) ?? 0, 2)}
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

/** The drivers of a tree around its root: deviation from target, and importance (performance.md §5.16). */
export default function BullseyeWidget({ data }: WidgetProps) {
  const view = data as ImpactView;
  if (view.tree === null)
    return (
      <EmptyState icon={<TargetRegular />} title="No impact tree" text="Add one under KPI Impact, and activate it." />
    );
  return (
    <>
      <div className={own.head}>
        <TreeChoice view={view} />
        <span className={own.faint}>{viewWords(view)}</span>
        <Link to={`/kpi_impact_tree_new?tree_id=${view.tree.id}`}>Impact tree</Link>
      </div>
      {view.nodes.length === 0 ? <NoFigures view={view} /> : <Rings view={view} />}
    </>
  );
}
