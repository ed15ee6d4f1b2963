import { MessageBar, MessageBarBody, mergeClasses } from '@fluentui/react-components';
import { TargetRegular } from '@fluentui/react-icons';
import { Fragment, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { formatFixed, formatNumber } from '../../../../descriptor/format.ts';
import type { ImpactAnalysis, ImpactView, ViewNode } from '../../../../domain/strategy/impact_view.ts';
import { analyse } from '../../../../domain/strategy/impact_view.ts';
import { EmptyState } from '../../../app/page.tsx';
import type { WidgetProps } from '../../../runtime/dashboard/widgets.ts';
import own from '../impact.module.css';
import { inUnit, signed, toneOf } from '../impact_figures.ts';
import { NoFigures, RootAtZero, TreeChoice, viewWords } from '../tree_choice.tsx';

/** The deviations from target of the rings, in percent; larger ones are outside. */
const RINGS = [5, 10, 20] as const;
const SIZE = 400;
const MIDDLE = SIZE / 2;
const OUTER = 165;
/** The least distance of a dot from the centre. */
const NEAREST = 16;

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

/** The outline of a sector up to a distance from the centre. */
function wedge(from: number, to: number, radius: number): string {
  // A whole circle has no end of its own to draw an arc to.
  const [start, end] = [place(from, radius), place(Math.min(to, from + 359.99), radius)];
  return `M${MIDDLE} ${MIDDLE}L${start.x} ${start.y}A${radius} ${radius} 0 ${to - from > 180 ? 1 : 0} 1 ${end.x} ${end.y}Z`;
}

interface Sector {
  no: number;
  /** Its number in the picture and in the table. */
  place: number;
  from: number;
  to: number;
  /** Deviation from the target in percent. */
  radius: number;
  node: ViewNode;
  tone: string | undefined;
}

function Target({ sectors, made, root, chosen, choose }: Shown & { root: string }) {
  const pulls = made.units ?? made.elasticity;
  const most = Math.max(...[...pulls.values()].map(Math.abs), 0) || 1;
  const words = sectors.map(({ node, radius }) => `${node.label}: ${formatNumber(radius, 1)} % off`).join(', ');
  return (
    <svg viewBox={`-80 0 ${SIZE + 160} ${SIZE}`} role="img" aria-label={`Drivers of ${root}. ${words}`}>
      {[OUTER, ...RINGS.map(distance).toReversed()].map((radius, at) => (
        <circle
          key={radius}
          className={mergeClasses(own.ring, at % 2 === 0 && own.shaded)}
          cx={MIDDLE}
          cy={MIDDLE}
          r={radius}
        />
      ))}
      {sectors.map(({ no, from, to, radius, tone }) => (
        <path
          key={no}
          className={mergeClasses(own.wedge, tone, chosen !== null && chosen !== no && own.behind)}
          d={wedge(from, to, distance(radius))}
        />
      ))}
      {sectors.length > 1 &&
        sectors.map(({ no, from }) => {
          const end = place(from, OUTER);
          return <line key={no} className={own.sector} x1={MIDDLE} y1={MIDDLE} x2={end.x} y2={end.y} />;
        })}
      {RINGS.map((ring) => (
        <text key={ring} className={own.mark} x={MIDDLE + 2} y={MIDDLE - distance(ring) - 2}>
          {ring} %
        </text>
      ))}
      {sectors.map(({ no, place: number, from, to, radius, node, tone }) => {
        const middle = (from + to) / 2;
        // Drivers on target stand around the centre, not on top of each other.
        const at = place(middle, Math.max(distance(radius), NEAREST));
        const outside = place(middle, OUTER + 12);
        const size = 6 + (9 * Math.abs(pulls.get(no) ?? 0)) / most;
        return (
          <g
            key={no}
            className={mergeClasses(own.driver, chosen !== null && chosen !== no && own.behind)}
            onClick={() => choose(chosen === no ? null : no)}
          >
            <title>{`${node.label}: ${formatNumber(radius, 2)} % off`}</title>
            <path className={own.touch} d={wedge(from, to, OUTER)} />
            <circle className={mergeClasses(own.dot, tone)} cx={at.x} cy={at.y} r={size} />
            <text
              x={outside.x}
              y={outside.y}
              textAnchor={Math.abs(outside.x - MIDDLE) < 20 ? 'middle' : outside.x < MIDDLE ? 'end' : 'start'}
            >
              {number}
              <tspan className={own.name}> {node.label.length > 16 ? `${node.label.slice(0, 15)}…` : node.label}</tspan>
            </text>
          </g>
        );
      })}
    </svg>
  );
}

interface Shown {
  sectors: Sector[];
  made: ImpactAnalysis;
  chosen: number | null;
  choose: (no: number | null) => void;
}

/** The figures of one driver, and the ways on from it. */
function Driver({ node, made, view }: { node: ViewNode; made: ImpactAnalysis; view: ImpactView }) {
  const effect = made.made?.of.get(node.no);
  return (
    <>
      <span>
        {inUnit(node, made.to.get(node.no))} instead of {inUnit(node, made.from.get(node.no))}
        {node.owner === null ? '' : ` · ${node.owner}`}
      </span>
      {effect !== undefined && effect !== 0 && <span>It moved the root by {signed(effect)}.</span>}
      <span className={own.ways}>
        {node.kpi_id !== null && view.month !== null && (
          <Link to={`/kpi_detailed_report_view?kpi_id=${node.kpi_id}`}>Show its figures</Link>
        )}
        <Link to={`/kpi_impact_tree_new?tree_id=${view.tree!.id}`}>Try other values</Link>
      </span>
    </>
  );
}

function Drivers({ sectors, made, chosen, choose, view }: Shown & { view: ImpactView }) {
  return (
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
          <th scope="col" className={own.number}>
            {view.against === 'target' ? 'At its target' : 'As before'}
          </th>
        </tr>
      </thead>
      <tbody>
        {sectors
          .toSorted((a, b) => b.radius * (b.to - b.from) - a.radius * (a.to - a.from))
          .map(({ no, place: number, node, radius, tone }) => (
            <Fragment key={no}>
              <tr>
                <th scope="row">
                  <button
                    type="button"
                    className={own.open}
                    aria-expanded={chosen === no}
                    onClick={() => choose(chosen === no ? null : no)}
                  >
                    {number} {node.label}
                  </button>
                </th>
                <td className={own.number}>
                  <span className={mergeClasses(own.spot, tone)} /> {formatFixed(radius, 2)} %
                </td>
                <td className={own.number}>
                  {made.units === null
                    ? `${formatFixed(made.shares.get(no) ?? 0, 2)} %`
                    : formatFixed(made.units.get(no) ?? 0, 2)}
                </td>
                <td className={own.number}>{made.levers.has(no) ? signed(made.levers.get(no)!) : '–'}</td>
              </tr>
              {chosen === no && (
                <tr>
                  <td colSpan={4} className={own.about}>
                    <Driver node={node} made={made} view={view} />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
      </tbody>
    </table>
  );
}

function Rings({ view }: { view: ImpactView }) {
  const made = useMemo(() => analyse(view.nodes), [view.nodes]);
  const [chosen, choose] = useState<number | null>(null);
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
  const nodeOf = (no: number) => view.nodes.find((node) => node.no === no)!;
  const root = nodeOf(made.tree.root.no);
  const achieved = made.achieved.get(root.no);
  let turned = 0;
  const sectors = made.sectors.map((sector, at): Sector => {
    const from = turned;
    turned += sector.angle;
    const off = sector.radius;
    return { ...sector, place: at + 1, from, to: turned, node: nodeOf(sector.no), tone: toneOf(100 - off) };
  });
  const shared = { sectors, made, chosen, choose };
  return (
    <div className={own.rings}>
      <Target {...shared} root={root.label} />
      <section>
        <p className={own.root}>
          <strong>{root.label}</strong>
          <span className={own.large}>{inUnit(root, made.to.get(root.no))}</span>
          <span className={own.faint}>
            {view.against === 'target' ? 'of' : 'after'} {inUnit(root, made.from.get(root.no))}
            {achieved !== undefined && ` · ${formatFixed(achieved, 1)} %`}
            {made.made && ` · ${signed(made.made.change)}`}
          </span>
        </p>
        {made.units !== null && <RootAtZero />}
        <Drivers {...shared} view={view} />
        <p className={own.faint}>
          The nearer to the middle, the nearer a driver is to its target; the wider its sector, the more it matters. The
          last column is the change of {root.label} if this driver alone{' '}
          {view.against === 'target' ? 'reached its target' : 'were as before'}.
        </p>
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
