import { percentOf, stageTimes } from '../../../domain/fms_stores/request_stages.ts';
import type { StageTimes } from '../../../domain/fms_stores/request_stages.ts';
import { SqlParams } from '../../db/sql_text.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { MAX_ROWS } from '../../engine/reports/report_source.ts';
import { linesInTime } from './lines_in_time.ts';
import { addDays, addMonths } from './request_day.ts';
import type { ReportCall, ReportSource } from '../../engine/reports/report_source.ts';
import { quoted } from '../../db/names.ts';
import { rowsOf } from '../../engine/reports/statement_rows.ts';

/** Conditions for the chosen parameters. */
function chosen({ parameters }: ReportCall, columns: Readonly<Record<string, string>>, values: SqlParams): string[] {
  return Object.entries(columns).flatMap(([name, column]) =>
    (parameters[name] ?? null) === null ? [] : [`${column} = ${values.bind(parameters[name])}`],
  );
}

/** The first day of a report; by default a year before its last. */
const firstDay = ({ parameters, today }: ReportCall): string =>
  String(parameters.from ?? `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`).replace('-02-29', '-02-28');

interface Step {
  transition: string;
  at: string;
}

interface Asked {
  id: number;
  mr_no: string | null;
  lift_id: number | null;
  lift_no: string | null;
  mr_type_id: number;
  type: string;
  priority: string;
  month: string;
  steps: Step[];
  due: number;
  in_time: number;
}

/** The grouping of the rows: the columns that its rows have, and the key of a row. */
const SHOWN_BY: Readonly<Record<string, { columns: readonly string[]; key(one: Asked): string }>> = {
  type: {
    columns: ['mr_type_id', 'priority'],
    key: ({ mr_type_id: type, priority }) => `${type} ${priority}`,
  },
  month: { columns: ['month'], key: ({ month }) => month },
  request: { columns: ['mr_id', 'lift_id', 'priority'], key: ({ id }) => String(id) },
};

const GROUP_COLUMNS = ['mr_id', 'lift_id', 'month', 'mr_type_id', 'priority'];

const STAGES = ['commercial', 'technical', 'store', 'site', 'net'] as const;

/** The times of a request's steps, from its log; null = it was never submitted. */
function timesOf({ steps }: Asked, now: number): StageTimes | null {
  const last = (...names: string[]): number | null => {
    const found = steps.findLast(({ transition }) => names.includes(transition));
    return found ? Date.parse(found.at) : null;
  };
  const submitted = steps.find(({ transition }) => transition.startsWith('submit'));
  if (!submitted) return null;
  const holds: { from: number; to: number | null }[] = [];
  for (const { transition, at } of steps)
    if (transition === 'hold') holds.push({ from: Date.parse(at), to: null });
    else if (transition === 'release' && holds.length > 0) holds.at(-1)!.to = Date.parse(at);
  return stageTimes(
    {
      submitted: Date.parse(submitted.at),
      commercial: last('approve'),
      technical: last('approve_technical', 'pass_technical'),
      issued: last('end_supply'),
      used: last('close', 'end'),
      holds,
    },
    now,
  );
}

/** Hours with one decimal; for several, a percentile. */
function hoursAt(minutes: readonly number[], part: number): string | null {
  if (minutes.length === 0) return null;
  const sorted = minutes.toSorted((a, b) => a - b);
  return (Math.max(0, sorted[Math.ceil(part * sorted.length) - 1]!) / 60).toFixed(1);
}

/** The values of the group columns of a row: those of its first request, which all of them share. */
function groupOf(one: Asked): ReportRow {
  return {
    mr_id: one.id,
    mr_id__label: one.mr_no,
    lift_id: one.lift_id,
    lift_id__label: one.lift_no,
    month: one.month,
    mr_type_id: one.mr_type_id,
    mr_type_id__label: one.type,
    priority: one.priority,
  };
}

/** The address of the requests behind a row. */
function requestsBehind(call: ReportCall, row: ReportRow, columns: readonly string[]): string {
  const { parameters, today } = call;
  const [first, last] = [firstDay(call), String(parameters.to ?? today)];
  const month = columns.includes('month') ? `${String(row.month)}-01` : null;
  const monthEnd = month === null ? last : addDays(addMonths(month, 1), -1);
  const chosenOnes = {
    shown_by: 'request',
    from: month === null || month < first ? first : month,
    to: monthEnd > last ? last : monthEnd,
    branch_id: parameters.branch_id,
    mr_type_id: columns.includes('mr_type_id') ? row.mr_type_id : parameters.mr_type_id,
    priority: columns.includes('priority') ? row.priority : parameters.priority,
  };
  const query = Object.entries(chosenOnes).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, String(value)]],
  );
  return `/reports/fms_stores/mr_turnaround?${new URLSearchParams(query).toString()}`;
}

/** The number of requests that have passed each step, from their times. */
const passed = (times: readonly StageTimes[]): ReportRow => ({
  submitted: times.length,
  approved_commercially: times.filter(({ commercial }) => commercial !== null).length,
  approved: times.filter(({ technical }) => technical !== null).length,
  supplied: times.filter(({ store }) => store !== null).length,
  completed: times.filter(({ site }) => site !== null).length,
});

/**
 * Time between the steps of requests by type, month or request, without time on hold, how far the requests came, and the
 * number of lines that arrived when needed.
 */
export const turnaroundReport: ReportSource = {
  reads: { mr: ['lines'], mr_type: [], mr_issue: ['lines'], lift: [] },
  async rows(call) {
    const { session, today, parameters } = call;
    const values = new SqlParams();
    const where = [
      ...call.scoped('mr', 'm', values),
      'm.active',
      `m.entity_id = ${values.bind(session.entityId)}`,
      `m.mr_date between ${values.bind(firstDay(call))}::date and ${values.bind(String(parameters.to ?? today))}::date`,
      ...chosen(call, { branch_id: 'm.branch_id', mr_type_id: 'm.mr_type_id', priority: 'm.priority' }, values),
    ];
    const shownBy = String(parameters.shown_by ?? 'type');
    const rows = await rowsOf<Asked>(
      call,
      `select m.id, m.mr_no, m.lift_id, f.lift_no, m.mr_type_id, t.name as type, m.priority,
         to_char(m.mr_date, 'YYYY-MM') as month,
         (select coalesce(json_agg(json_build_object('transition', l.transition, 'at', l.at) order by l.id), '[]')
            from ${quoted(session.tenant.schema)}.transition_log l where l.record_type = 'mr' and l.record_id = m.id) as steps,
         coalesce(o.due, 0)::int as due, coalesce(o.in_time, 0)::int as in_time
       from {mr} m join {mr_type} t on t.id = m.mr_type_id left join {lift} f on f.id = m.lift_id
       left join lateral (${linesInTime(values)}) o on true
       where ${where.join(' and ')}
       order by ${shownBy === 'type' ? 't.name, m.priority' : shownBy === 'month' ? 'month' : 'm.mr_date desc, m.id desc'}
       ${shownBy === 'request' ? `limit ${MAX_ROWS + 1}` : ''}`,
      values,
    );
    const now = Date.now();
    const { columns, key } = SHOWN_BY[shownBy]!;
    return {
      rows: [...Map.groupBy(rows, key).values()].map((own): ReportRow => {
        const group = groupOf(own[0]!);
        const times = own.flatMap((one) => timesOf(one, now) ?? []);
        const ended = times.filter(({ site }) => site !== null);
        const of = (stage: (typeof STAGES)[number]) =>
          (stage === 'net' ? ended : times).flatMap((one) => one[stage] ?? []);
        const sum = (read: (one: Asked) => number) => own.reduce((total, one) => total + read(one), 0);
        return {
          ...group,
          requests: own.length,
          ...(shownBy !== 'request' && { requests__to: requestsBehind(call, group, columns) }),
          ...passed(times),
          ...Object.fromEntries(
            STAGES.flatMap((stage) => [
              [`${stage}_median`, hoursAt(of(stage), 0.5)],
              [`${stage}_most`, hoursAt(of(stage), 0.9)],
            ]),
          ),
          hold: (times.reduce((total, { hold }) => total + hold, 0) / 60).toFixed(1),
          fill_rate: percentOf(
            sum(({ in_time: count }) => count),
            sum(({ due }) => due),
          ),
        };
      }),
      without: [
        ...GROUP_COLUMNS.filter((name) => !columns.includes(name)),
        // A single request has one time for each stage.
        ...(shownBy === 'request' ? ['requests', ...STAGES.map((stage) => `${stage}_most`)] : []),
      ],
    };
  },
};

const REPEAT_READS = {
  lift_part: ['fitted_on', 'removed_reason'],
  lift: [],
  lift_make_mstr: [],
  item_mstr: [],
  spare_group_master: [],
  employee: [],
  stock_serial: [],
  grn: [],
  vendor_mstr: [],
};

/** The statement of parts `b` that replaced a part `a` in the same position of the same lift within a number of days. */
function repeated(call: ReportCall, values: SqlParams, columns: string): string {
  const { session, today, parameters } = call;
  const days = values.bind(Math.min(Number(parameters.days ?? 180), 3650));
  const where = [
    ...call.scoped('lift', 'f', values),
    `b.entity_id = ${values.bind(session.entityId)}`,
    `b.fitted_on between ${values.bind(firstDay(call))}::date and ${values.bind(String(parameters.to ?? today))}::date`,
    ...chosen(
      call,
      { spare_group_id: 'i.spare_group_id', item_id: 'b.item_id', lift_make_id: 'f.lift_make_id' },
      values,
    ),
  ];
  return `select ${columns}
    from {lift_part} b
    join lateral (select x.* from {lift_part} x where x.lift_id = b.lift_id and x.item_id = b.item_id and x.id < b.id
      and coalesce(x.position, '') = coalesce(b.position, '') and x.fitted_on between b.fitted_on - ${days}::int and b.fitted_on
      order by x.fitted_on desc, x.id desc limit 1) a on true
    join {lift} f on f.id = b.lift_id join {item_mstr} i on i.id = b.item_id
    left join {lift_make_mstr} k on k.id = f.lift_make_id left join {spare_group_master} g on g.id = i.spare_group_id
    left join {employee} e on e.id = b.fitted_by
    left join lateral (select n.vendor_id from {stock_serial} s join {grn.lines} r on r.id = s.grn_line_id join {grn} n on n.id = r.parent_id
      where s.id = a.serial_id) o on true
    left join {vendor_mstr} v on v.id = o.vendor_id
    where ${where.join(' and ')}`;
}

/** Parts replaced again in the same position of the same lift within a number of days. */
export const repeatFailureReport: ReportSource = {
  reads: REPEAT_READS,
  async rows(call) {
    const values = new SqlParams();
    const statement = repeated(
      call,
      values,
      `b.lift_id, f.lift_no as lift_id__label, f.lift_make_id, k.name as lift_make_id__label, i.spare_group_id, g.name as spare_group_id__label,
       b.item_id, i.name as item_id__label, b.position, a.fitted_on::text as first_on, b.fitted_on::text as again_on, (b.fitted_on - a.fitted_on) as days,
       b.fitted_by as technician_id, e.name as technician_id__label, v.id as vendor_id, v.name as vendor_id__label, a.removed_reason as why`,
    );
    return {
      rows: await rowsOf<ReportRow>(
        call,
        `${statement} order by b.fitted_on desc, b.id desc limit ${MAX_ROWS + 1}`,
        values,
      ),
    };
  },
};

/** How often parts failed again, by the make of the lift and the group of the part. */
export const repeatFailureMapReport: ReportSource = {
  reads: REPEAT_READS,
  async rows(call) {
    const values = new SqlParams();
    const statement = repeated(
      call,
      values,
      `f.lift_make_id, k.name as lift_make_id__label, i.spare_group_id, g.name as spare_group_id__label, count(*)::int as failures`,
    );
    return { rows: await rowsOf<ReportRow>(call, `${statement} group by 1, 2, 3, 4 order by 2, 4`, values) };
  },
};
