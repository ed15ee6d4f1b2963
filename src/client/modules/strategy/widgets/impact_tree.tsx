import {
  Button,
  Link as FluentLink,
  MessageBar,
  MessageBarBody,
  Slider,
  SpinButton,
  mergeClasses,
} from '@fluentui/react-components';
import { ArrowResetRegular, BranchForkRegular } from '@fluentui/react-icons';
import { useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ImpactAnalysis, ImpactView, ViewNode } from '../../../../domain/strategy/impact_view.ts';
import { analyse, needed } from '../../../../domain/strategy/impact_view.ts';
import { EmptyState } from '../../../app/page.tsx';
import { usePhone } from '../../../app/session.ts';
import type { WidgetProps } from '../../../runtime/dashboard/widgets.ts';
import own from '../impact.module.css';
import { inUnit, shown, signed, toneOf } from '../impact_figures.ts';
import { TreeMap } from '../TreeMap.tsx';
import { NoFigures, RootAtZero, TreeChoice, viewWords } from '../tree_choice.tsx';

/** Default range of a driver's slider, in percent. */
const MOVE = 25;
const GAIN = 10;

interface Drawn {
  made: ImpactAnalysis;
  byNo: ReadonlyMap<number, ViewNode>;
  changed: ReadonlyMap<number, number>;
  closed: ReadonlySet<number>;
  move: (no: number, value: number | null) => void;
  toggle: (no: number) => void;
}

function Mover({ node, drawn }: { node: ViewNode; drawn: Drawn }) {
  const { made, changed, move } = drawn;
  const value = made.to.get(node.no);
  if (!isMovable(drawn, node) || value === undefined || node.to === null) return null;
  const reach = (Math.abs(node.to) * (node.maxMove ?? MOVE)) / 100;
  const percent = ((value - node.to) * 100) / Math.abs(node.to);
  return (
    <>
      <Slider
        aria-label={`What if: ${node.label}`}
        className="nopan"
        size="small"
        min={-(node.maxMove ?? MOVE)}
        max={node.maxMove ?? MOVE}
        value={Math.round(percent * 2) / 2}
        onChange={(_, { value: moved }) => {
          const to = Math.round(moved * 2) / 2;
          move(node.no, to === 0 ? null : node.to! + (Math.abs(node.to!) * to) / 100);
        }}
      />
      <SpinButton
        aria-label={`What if ${node.label} is`}
        className="nopan"
        size="small"
        value={value}
        displayValue={shown(value, node.decimals)}
        step={reach / 20}
        min={node.to - reach}
        max={node.to + reach}
        onChange={(_, { value: typed, displayValue }) => {
          const next = typed ?? Number(displayValue?.replaceAll(/[^\d.-]/g, ''));
          if (!Number.isFinite(next)) return;
          const bounded = Math.max(node.to! - reach, Math.min(node.to! + reach, next));
          move(node.no, bounded === node.to ? null : bounded);
        }}
      />
      {changed.has(node.no) && <span className={own.faint}>What if: {signed(Number(percent.toFixed(1)))} %</span>}
    </>
  );
}

function isMovable({ made }: Drawn, node: ViewNode): boolean {
  return node.controllable === true && made.to.has(node.no) && node.to !== null && node.to !== 0 && node.maxMove !== 0;
}

/** The figures of a node, with its slider or the switch of its children. */
function Card({ no, drawn }: { no: number; drawn: Drawn }) {
  const { made, byNo, closed, toggle } = drawn;
  const node = byNo.get(no)!;
  const children = made.tree.children.get(no) ?? [];
  const achieved = made.achieved.get(no);
  const share = made.shares.get(no);
  const units = made.units?.get(no);
  const impact =
    share !== undefined ? `Impact ${shown(share)} %` : units !== undefined ? `1 % of it: ${signed(units)}` : null;
  const isClosed = closed.has(no);
  return (
    <div className={mergeClasses(own.node, toneOf(achieved))}>
      <span className={own.title}>
        <span>{node.label}</span>
        {achieved !== undefined && <span>{shown(achieved, 1)} %</span>}
      </span>
      <span className={own.figures}>
        <span>{inUnit(node, made.to.get(no))}</span>
        <span className={own.faint}>
          of {inUnit(node, made.from.get(no))} {node.style.symbol === null ? (node.unit ?? '') : ''}
        </span>
      </span>
      {impact !== null && (
        <span className={own.faint}>
          {impact}
          {node.owner === null ? '' : ` · ${node.owner}`}
        </span>
      )}
      {children.length === 0 ? (
        <Mover node={node} drawn={drawn} />
      ) : (
        <FluentLink as="button" className="nopan" aria-expanded={!isClosed} onClick={() => toggle(no)}>
          {isClosed ? `Show ${children.length} drivers` : 'Collapse'}
        </FluentLink>
      )}
    </div>
  );
}

/** A node with its children indented below it, as phones show the tree. */
function Branch({ no, drawn }: { no: number; drawn: Drawn }) {
  const children = drawn.made.tree.children.get(no) ?? [];
  return (
    <li className={own.branch} aria-label={drawn.byNo.get(no)!.label}>
      <Card no={no} drawn={drawn} />
      {children.length > 0 && !drawn.closed.has(no) && (
        <ul className={own.children}>
          {children.map((child) => (
            <Branch key={child.no} no={child.no} drawn={drawn} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Bars({
  title,
  values,
  byNo,
  empty,
}: {
  title: string;
  values: [number, number][];
  byNo: Drawn['byNo'];
  empty: string;
}) {
  const most = Math.max(...values.map(([, value]) => Math.abs(value)), 0);
  return (
    <section>
      <h3>{title}</h3>
      {most === 0 ? (
        <p className={own.faint}>{empty}</p>
      ) : (
        <ul className={own.bars}>
          {values.map(([no, value]) => (
            <li key={no}>
              <span>{byNo.get(no)?.label ?? 'Not explained by the tree'}</span>
              <span>
                <span
                  className={mergeClasses(own.bar, value < 0 && own.minus)}
                  style={{ width: `${(Math.abs(value) * 100) / most}%` }}
                />
              </span>
              <span className={own.number}>{signed(value)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const byValue = (values: Iterable<[number, number]>): [number, number][] =>
  [...values].filter(([, value]) => value !== 0).toSorted((a, b) => b[1] - a[1]);

/** The number of levels below the root. */
function levelOf(nodes: readonly ViewNode[], no: number): number {
  const parent = nodes.find((node) => node.no === no)?.parent ?? null;
  return parent === null ? 0 : 1 + levelOf(nodes, parent);
}

function Chart({ view }: { view: ImpactView }) {
  const [changed, setChanged] = useState<ReadonlyMap<number, number>>(new Map());
  const isPhone = usePhone();
  const [gain, setGain] = useState(GAIN);
  const made = useMemo(() => analyse(view.nodes, changed), [view.nodes, changed]);
  const [closed, setClosed] = useState<ReadonlySet<number>>(
    () =>
      new Set(
        'wrong' in made ? [] : view.nodes.flatMap(({ no }) => (levelOf(view.nodes, no) >= view.depth ? [no] : [])),
      ),
  );
  if ('wrong' in made)
    return (
      <MessageBar intent="warning">
        <MessageBarBody>
          {made.wrong.join(' ')} <Link to={`/kpi_impact_landing/view/${view.tree!.id}`}>Open the tree</Link>
        </MessageBarBody>
      </MessageBar>
    );
  const byNo = new Map(view.nodes.map((node) => [node.no, node]));
  const move = (no: number, value: number | null) => {
    const next = new Map(changed);
    if (value === null) next.delete(no);
    else next.set(no, value);
    setChanged(next);
  };
  const toggle = (no: number) => {
    const next = new Set(closed);
    if (!next.delete(no)) next.add(no);
    setClosed(next);
  };
  const drawn = { made, byNo, changed, closed, move, toggle };
  const goals = needed(made, gain);
  return (
    <>
      <div className={own.head}>
        <span aria-live="polite">
          <strong>{byNo.get(made.tree.root.no)!.label}</strong> {shown(made.to.get(made.tree.root.no))}
          {made.made && ` (${signed(made.made.change)})`}
        </span>
        <Button
          icon={<ArrowResetRegular />}
          disabled={changed.size === 0}
          onClick={() => setChanged(new Map())}
          size="small"
        >
          Reset to actual
        </Button>
      </div>
      {made.units !== null && <RootAtZero />}
      {isPhone ? (
        <ul className={own.tree}>
          <Branch no={made.tree.root.no} drawn={drawn} />
        </ul>
      ) : (
        <TreeMap
          made={made}
          closed={closed}
          isMovable={(no) => isMovable(drawn, byNo.get(no)!) && (made.tree.children.get(no) ?? []).length === 0}
          card={(no) => <Card no={no} drawn={drawn} />}
        />
      )}
      <div className={own.below}>
        <Bars
          title="What moved it"
          byNo={byNo}
          empty="Nothing has changed."
          values={[
            ...byValue(made.made?.of ?? []),
            ...(made.unexplained === null || Math.abs(made.unexplained) < 0.005
              ? []
              : ([[-1, made.unexplained]] as [number, number][])),
          ]}
        />
        <Bars
          title={
            view.against === 'target'
              ? 'Effect of each driver at its target'
              : 'Effect of each driver at its earlier value'
          }
          byNo={byNo}
          empty={view.against === 'target' ? 'All drivers are on target.' : 'No driver has changed.'}
          values={byValue(made.levers)}
        />
        <section>
          <h3>Needed from one driver alone</h3>
          <div className={own.head}>
            <label htmlFor="gain">for the root to change by, in percent</label>
            <SpinButton
              id="gain"
              size="small"
              min={-50}
              max={100}
              value={gain}
              onChange={(_, { value, displayValue }) => {
                const next = value ?? Number(displayValue);
                if (Number.isFinite(next)) setGain(Math.max(-50, Math.min(100, next)));
              }}
            />
          </div>
          <ul className={own.bars}>
            {[...goals].map(([no, value]) => {
              const from = made.from.get(no)!;
              return (
                <li key={no}>
                  <span>{byNo.get(no)!.label}</span>
                  <span className={own.number}>{inUnit(byNo.get(no)!, value)}</span>
                  <span className={own.number}>{signed(((value - from) * 100) / Math.abs(from))} %</span>
                </li>
              );
            })}
          </ul>
          {goals.size === 0 && <p className={own.faint}>No single driver is enough.</p>}
        </section>
      </div>
    </>
  );
}

/**
 * A driver tree: figures of each node, sliders for scenarios, and the drivers of the root's change (performance.md
 * §2.7).
 */
export default function ImpactTreeWidget({ data }: WidgetProps) {
  const view = data as ImpactView;
  if (view.tree === null)
    return (
      <EmptyState
        icon={<BranchForkRegular />}
        title="No impact tree"
        text="Add one under KPI Impact, and activate it."
      />
    );
  return (
    <>
      <div className={own.head}>
        <TreeChoice view={view} />
        <span className={own.faint}>{viewWords(view)}</span>
        <Link to={`/kpi_bullseye_new?tree_id=${view.tree.id}`}>Bullseye</Link>
      </div>
      {view.nodes.length === 0 ? (
        <NoFigures view={view} />
      ) : (
        <Chart key={`${view.tree.id} ${view.month} ${view.against}`} view={view} />
      )}
    </>
  );
}
