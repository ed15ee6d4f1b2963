import { DateTime } from 'luxon';
import type { Aggregation, SheetFigures } from '../../../domain/performance/over_time.ts';
import { overTime } from '../../../domain/performance/over_time.ts';
import type { FigureStyle } from '../../../domain/performance/shown_figure.ts';
import type { Relation } from '../../../domain/strategy/impact_tree.ts';
import { branchWithFigures } from '../../../domain/strategy/impact_view.ts';
import type { ImpactView, ViewNode } from '../../../domain/strategy/impact_view.ts';
import { childTable, tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportCall } from '../../engine/reports/report_source.ts';

interface Node {
  no: number;
  parent: number | null;
  code: string;
  label: string;
  relation: Relation | null;
  formula: string | null;
  kpi_id: number | null;
  constant: string | null;
  actual: string | null;
  controllable: boolean;
  max_move: string | null;
  /** After how many months it acts: its value of so many months before counts. */
  lag: number;
  owner: string | null;
  unit: string | null;
  symbol: string | null;
  scale: FigureStyle['scale'];
  decimals: number | null;
  direction: 'higher' | 'lower' | 'range' | null;
  aggregation: Aggregation | null;
  kpi_code: string | null;
  impact: string | null;
  sense: 'same' | 'opposite' | null;
}

interface Figure {
  kpi_id: number;
  month: string;
  actual: string | null;
  target: string | null;
  sheet_id: number;
  part_key: string;
  code: string;
  aggregation: Aggregation;
  formula: string | null;
  weighted_by: string | null;
}

/** KPIs that follow from others of their sheet. */
const OF_OTHERS: ReadonlySet<Aggregation | null> = new Set<Aggregation>(['weighted', 'formula']);

const monthsBack = (month: string, count: number): string =>
  DateTime.fromISO(`${month}-01`, { zone: 'utc' }).minus({ months: count }).toFormat('yyyy-MM');

const numberOf = (value: string | null): number | null => (value === null ? null : Number(value));

/**
 * The value of a KPI in a month: the sum of its members' figures, or their mean if months are not added up either. A
 * weighted or calculated KPI follows from the figures of all members: the mean of their rates would be wrong (§5.7).
 */
function figureOf(figures: readonly Figure[], { kpi_id: kpi, kpi_code: code, aggregation }: Node, month: string) {
  const ofMonth = figures.filter((one) => one.month === month);
  const own = ofMonth.filter((one) => one.kpi_id === kpi);
  if (aggregation === null || !OF_OTHERS.has(aggregation))
    return overTime(own, aggregation === 'sum' ? 'sum' : 'average');
  const bySheet = Map.groupBy(ofMonth, ({ sheet_id: sheet }) => sheet);
  // Of a line by channel or the like the figures of the same part, otherwise of the whole KPI.
  const around = ({ sheet_id: sheet, part_key: part }: Figure): SheetFigures =>
    Object.fromEntries(
      bySheet
        .get(sheet)!
        .filter((one) => one.part_key === part || one.part_key === '-')
        .flatMap((one) => (one.actual === null ? [] : [[one.code, { ...one, actual: one.actual }]])),
    );
  return overTime(
    own.map((one) => ({ ...one, around: around(one) })),
    aggregation,
    code ?? undefined,
  );
}

/** The page of trees that were pinned before pins had a page. */
const FIRST_PLACE = 'board';

/**
 * A driver tree with the figures of a month that the reader may see; by default the first one pinned for the reader's
 * roles that has figures for them. A page with a place (`args.place`) has the live trees pinned to it alone. Of a live
 * tree that is pinned for them but not theirs, they see the part with figures of their own people, without the values
 * that somebody entered for the company.
 */
export async function readImpact({ session, parameters, today, scoped, args }: ReportCall): Promise<ImpactView> {
  const { tenant } = session;
  const table = (type: string) => tableName(tenant.schema, type);
  const query = async <Row extends object>(text: (values: SqlParams) => string): Promise<Row[]> => {
    const values = new SqlParams();
    const statement = text(values);
    return tenant.db.query<Row & Record<string, unknown>>(preparedStatement(statement, values.list));
  };
  const place = typeof args?.place === 'string' ? args.place : null;
  const seen = (type: string, alias: string, values: SqlParams) =>
    [`${alias}.active`, ...scoped(type, alias, values)].join(' and ');
  const trees = await query<{ id: number; name: string; depth: number; department_id: number | null; whole: boolean }>(
    (
      values,
    ) => `select t.id, t.name, t.department_id, coalesce(p.depth, 6) as depth, s.whole from ${table('kpi_impact_tree')} t
      left join lateral (
        select n.depth, n.sort_order from ${table('kpi_impact_pin')} n
        where n.tree_id = t.id and n.active and n.entity_id = ${values.bind(session.entityId)}
          ${place === null ? '' : `and coalesce(n.place, '${FIRST_PLACE}') = ${values.bind(place)}`}
          and (n.role_ids is null or cardinality(n.role_ids) = 0 or n.role_ids && ${values.bind(session.roleIds)}::bigint[])
        order by n.sort_order, n.id limit 1) p on true
      cross join lateral (select coalesce((${seen('kpi_impact_tree', 't', values)}), false) as whole) s
      where t.status <> 'retired' ${place === null ? '' : `and t.status = 'live' and p.depth is not null`} and (s.whole
        or (t.active and t.status = 'live' and t.entity_id = ${values.bind(session.entityId)} and p.depth is not null))
      order by p.sort_order nulls last, t.status = 'live' desc, t.name`,
  );
  const month = (parameters.month as string | null) ?? monthsBack(today.slice(0, 7), 1);
  const against = (parameters.against as ImpactView['against'] | null) ?? 'target';
  const shown = { trees: trees.map(({ id, name }) => ({ id, name })), month, against };
  const chosen = parameters.tree_id ? trees.filter(({ id }) => id === parameters.tree_id) : trees;
  let first: ImpactView | null = null;
  for (const tree of chosen) {
    const view = await viewOf(tree);
    if (view.nodes.length > 0) return view;
    first ??= view;
  }
  return first ?? { ...shown, tree: null, depth: 6, nodes: [], isPart: false };

  async function viewOf(tree: (typeof trees)[number]): Promise<ImpactView> {
    const nodes = await query<Node>(
      (
        values,
      ) => `select n.node_no as no, n.parent_no as parent, n.code, n.label, n.relation, n.formula, n.kpi_id, n.constant::text,
        n.actual::text, coalesce(n.controllable, false) as controllable, n.max_move_percent::text as max_move, coalesce(n.lag_periods, 0)::int as lag, o.name as owner,
        u.name as unit, u.symbol, coalesce(u.display_scale, 'one') as scale, k.decimals, k.direction, k.period_aggregation as aggregation, k.code as kpi_code, w.impact_percent::text as impact, w.sense
      from ${childTable(tenant.schema, 'kpi_impact_tree', 'nodes')} n
      left join ${table('employee')} o on o.id = n.owner_id left join ${table('kpi')} k on k.id = n.kpi_id
      left join ${table('uom')} u on u.id = k.uom_id
      left join ${childTable(tenant.schema, 'kpi_impact_weight', 'weights')} w on w.child_no = n.node_no and w.parent_id = (
        select x.id from ${table('kpi_impact_weight')} x where x.tree_id = n.parent_id and x.active
          and to_char(x.effective_from, 'YYYY-MM') <= ${values.bind(month)} order by x.effective_from desc limit 1)
      where n.parent_id = ${values.bind(tree.id)} order by n.node_no`,
    );
    const before = monthsBack(month, against === 'year_before' ? 12 : 1);
    const figures = await query<Figure>((values) => {
      const kpis = values.bind(nodes.flatMap(({ kpi_id: id }) => (id === null ? [] : [id])));
      const read = new Set(nodes.flatMap(({ lag }) => [monthsBack(month, lag), monthsBack(before, lag)]));
      const months = `(${[...read].map((one) => values.bind(one)).join(', ')})`;
      const beside = nodes.some(({ aggregation }) => OF_OTHERS.has(aggregation))
        ? `or a.sheet_id in (select n.sheet_id from ${table('kpi_actual')} n where n.kpi_id = any(${kpis}) and n.month in ${months})`
        : '';
      return `select a.kpi_id, a.month, a.value::text as actual, a.target::text, a.sheet_id, a.part_key, k.code, k.period_aggregation as aggregation,
        k.formula, w.code as weighted_by
      from ${table('kpi_actual')} a join ${table('kpi')} k on k.id = a.kpi_id left join ${table('kpi')} w on w.id = k.weight_kpi_id
      where (a.kpi_id = any(${kpis}) ${beside})
        and a.month in ${months} and a.counts and not a.not_applicable and a.employee_id is not null
        ${tree.department_id === null ? '' : `and a.department_id = ${values.bind(tree.department_id)}`}
        and ${seen('kpi_actual', 'a', values)} order by a.employee_id`;
    });
    const view = nodes.map((node): ViewNode => {
      const { kpi_id: kpi } = node;
      const now = kpi === null ? null : figureOf(figures, node, monthsBack(month, node.lag));
      const then = kpi === null ? null : figureOf(figures, node, monthsBack(before, node.lag));
      const byHand = tree.whole
        ? { from: numberOf(node.constant), to: numberOf(node.actual ?? node.constant) }
        : { from: null, to: null };
      return {
        no: node.no,
        parent: node.parent,
        code: node.code,
        label:
          kpi === null || node.lag === 0
            ? node.label
            : `${node.label} (${node.lag} ${node.lag === 1 ? 'month' : 'months'} before)`,
        relation: node.relation ?? 'plus',
        formula: node.formula,
        impact: numberOf(node.impact) ?? 0,
        isOpposite: node.sense === 'opposite',
        controllable: node.controllable,
        maxMove: numberOf(node.max_move),
        kpi_id: kpi,
        unit: node.unit,
        style: { symbol: node.symbol, scale: node.scale },
        decimals: node.decimals ?? 2,
        isLower: node.direction === null ? null : node.direction === 'lower',
        owner: node.owner,
        from: now === null ? byHand.from : numberOf(against === 'target' ? now.target : then!.actual),
        to: now === null ? byHand.to : numberOf(now.actual),
      };
    });
    const part = tree.whole ? view : branchWithFigures(view);
    return {
      ...shown,
      tree: { id: tree.id, name: tree.name },
      depth: tree.depth,
      nodes: part,
      isPart: !tree.whole,
    };
  }
}
