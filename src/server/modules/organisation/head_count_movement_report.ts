import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field } from '../../../descriptor/types.ts';
import type { Career, HeadCount, Place, PlaceChange } from '../../../domain/head_count.ts';
import { attrition, headCount, monthsOf } from '../../../domain/head_count.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { quoted, tableName } from '../../db/names.ts';
import { invalid } from '../../db/errors.ts';
import { labelExpression } from '../../db/columns.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportCall, ReportSource } from '../../engine/reports/report_source.ts';
import { noteOfSight } from './people_in_sight.ts';

/** The longest period, in months. */
const MAX_MONTHS = 120;
/** The label of people without a known unit. */
const NONE = '';

const FIGURES = ['opening', 'joined', 'moved_in', 'moved_out', 'left_us', 'closing'] as const;
type Figures = Record<(typeof FIGURES)[number], number>;

/**
 * Joiners, movers and leavers among the people whom the reader may see today, with their whole history; somebody who
 * moved out of the reader's branches is no longer included. Changes of members and their history are read for these
 * people only, and shown only as counts.
 */
const headCountMovement: ReportSource = {
  reads: {
    employee: ['date_of_joining', 'date_of_leaving', 'status', 'branch_id', 'department_id', 'designation_id'],
    employee_history: ['change', 'effective_from', 'state'],
    branch: [],
    department: [],
    designation: [],
  },
  async rows(call) {
    const {
      from,
      to,
      group_by: by,
      branch_id: branch,
      department_id: department,
    } = call.parameters as {
      from: string;
      to: string;
      group_by: string;
      branch_id: number | null;
      department_id: number | null;
    };
    if (to < from) throw invalid([{ field: 'to', message: 'The end cannot be before the start.' }]);
    const months = monthsOf(from, to);
    if (months.length > MAX_MONTHS) throw invalid([{ field: 'from', message: 'Choose at most ten years.' }]);
    const careers = await careersOf(call, from, to);
    const name = `${by}_id` as keyof Place;
    const groups = headCount(careers, { from, to }, (place) =>
      (branch !== null && place.branch_id !== branch) || (department !== null && place.department_id !== department)
        ? null
        : by === 'month'
          ? NONE
          : String(place[name] ?? NONE),
    );
    const each = [...groups];
    const all = months.map((_, at) => sumOf(each.map(([, count]) => ofMonth(count, at))));
    const labels =
      by === 'month'
        ? null
        : await labelsOf(
            call,
            by,
            each.flatMap(([id]) => (id === NONE ? [] : [Number(id)])),
          );
    const rows =
      labels === null
        ? all.map((figures, at) => row(months[at]!, written(months[at]!), figures))
        : each
            .map(([id, count]) => row(id, labels.get(id) ?? 'None', ofPeriod(count)))
            .filter((one) => FIGURES.some((figure) => one[figure] !== 0))
            .sort((a, b) => a.name__label.localeCompare(b.name__label));
    const {
      name: _name,
      name__label: _label,
      ...totals
    } = row('', '', sumOf(each.map(([, count]) => ofPeriod(count))));
    return {
      rows,
      totals,
      chart: { x: months.map(written), series: [{ title: 'Head count', values: all.map(({ closing }) => closing) }] },
      figures: [
        { title: 'Head count', value: String(totals.closing), note: `${String(totals.opening)} at the start` },
        { title: 'Joined', value: String(totals.joined) },
        { title: 'Left', value: String(totals.left_us) },
        { title: 'Attrition', value: `${totals.attrition} %` },
      ],
      ...noteOfSight(call),
    };
  },
};

export default headCountMovement;

const written = (month: string) => fieldType('month').format(month, { type: 'month' } as Field);

function row(name: string, label: string, figures: Figures) {
  return {
    name,
    name__label: label,
    ...figures,
    attrition: attrition({ left: figures.left_us, opening: figures.opening, closing: figures.closing }),
  } satisfies ReportRow;
}

const net = ({ joined, moved_in: came, moved_out: went, left }: HeadCount['months'][number]) =>
  joined + came - went - left;

/** A group's figures in one month of the period. */
function ofMonth({ opening, months }: HeadCount, at: number): Figures {
  const { left, ...turnover } = months[at]!;
  const before = months.slice(0, at).reduce((sum, month) => sum + net(month), opening);
  return { opening: before, ...turnover, left_us: left, closing: before + net(months[at]!) };
}

/** A group's figures over the whole period. */
function ofPeriod({ opening, closing, months }: HeadCount): Figures {
  const sum = (what: keyof HeadCount['months'][number]) => months.reduce((total, month) => total + month[what], 0);
  return {
    opening,
    joined: sum('joined'),
    moved_in: sum('moved_in'),
    moved_out: sum('moved_out'),
    left_us: sum('left'),
    closing,
  };
}

function sumOf(list: Figures[]): Figures {
  return Object.fromEntries(
    FIGURES.map((figure) => [figure, list.reduce((sum, one) => sum + one[figure], 0)]),
  ) as Figures;
}

/** People employed at any time in the period, with their completed changes and the values before them. */
async function careersOf({ session, scoped }: ReportCall, from: string, to: string): Promise<Career[]> {
  const { db, schema } = session.tenant;
  const values = new SqlParams();
  const place = (alias: string) =>
    `json_build_object('branch_id', ${alias}.branch_id, 'department_id', ${alias}.department_id, 'designation_id', ${alias}.designation_id)`;
  const where = [
    `e.active`,
    `e.date_of_joining <= ${values.bind(to)}::date`,
    `(e.status <> 'left' or e.date_of_leaving >= ${values.bind(from)}::date)`,
    ...scoped('employee', 'e', values),
  ];
  const rows = await db.query<Career>(
    preparedStatement(
      `with people as (select e.id, e.date_of_joining, e.status, e.date_of_leaving, e.branch_id, e.department_id, e.designation_id from ${tableName(schema, 'employee')} e where ${where.join(' and ')}),
       changes as (
         select h.employee_id, json_agg(json_build_object('day', h.effective_from::text, 'change', h.change, 'to', ${place('h')}, 'away_since', a.change->'date_of_leaving'->>0,
           'was', json_build_object('branch_id', a.change->'branch_id'->0, 'department_id', a.change->'department_id'->0, 'designation_id', a.change->'designation_id'->0)) order by h.effective_from, h.id) as list
         from ${tableName(schema, 'employee_history')} h join people p on p.id = h.employee_id
         left join ${quoted(schema)}.history a on a.record_type = 'employee' and a.record_id = h.employee_id and a.what = 'change ' || h.id and h.change <> 'leave'
         where h.active and h.state = 'done' group by h.employee_id)
       select p.date_of_joining::text as joined, case when p.status = 'left' then p.date_of_leaving::text end as "left", ${place('p')} as place, coalesce(c.list, '[]') as changes
       from people p left join changes c on c.employee_id = p.id`,
      values.list,
    ),
  );
  return rows.map((career) => ({
    ...career,
    changes: career.changes.map((change: PlaceChange) =>
      change.change === 'join' ? change : { ...change, away_since: null },
    ),
  }));
}

/** The names of a group's records, by id. */
async function labelsOf(
  { session: { tenant }, screens }: ReportCall,
  type: string,
  ids: number[],
): Promise<Map<string, string>> {
  const rows = await tenant.db.query<{ id: number; label: string }>(
    preparedStatement(
      `select g.id, ${labelExpression(screens.get(type)!, 'g', { screens, schema: tenant.schema })} as label from ${tableName(tenant.schema, type)} g where g.id = any($1::bigint[])`,
      [ids],
    ),
  );
  return new Map(rows.map(({ id, label }) => [String(id), label]));
}
