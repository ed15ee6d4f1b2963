import { addMonths } from '../../../descriptor/expression/functions.ts';
import { addDays } from '../../../domain/dashboard_span.ts';
import type { FilterExpression } from '../../../descriptor/types.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { MAX_ROWS } from '../../engine/reports/report_source.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';

/** The components whose makers support them, deliver spares late, or no longer build them. */
const MADE: Readonly<Record<string, string>> = {
  lift_make_id: 'lift_make_mstr',
  controller_id: 'controller_mstr',
  inverter_make_id: 'inverter_make_mstr',
  main_drive_make_id: 'maindrive_make_mstr',
  machine_gear_make_id: 'machgear_make_mstr',
  motor_make_id: 'motor_make_mstr',
  encoder_make_id: 'encoder_make_mstr',
  door_drive_make_id: 'doordrive_make_mstr',
  car_operator_make_id: 'caroprtr_make_mstr',
};

/** The technical references by which lifts can be counted. */
const REFERENCES: Readonly<Record<string, string>> = {
  ...MADE,
  lift_type_id: 'lift_type_mstr',
  lift_category_id: 'lift_category_mstr',
  drive_type_id: 'drive_type_mstr',
  landing_type_id: 'highway_landing_type_mstr',
  call_function_id: 'call_function_type',
  machine_room_position_id: 'machine_room_position',
  route_id: 'route_mstr',
};

/** Choices by the building and the customer. The list of lifts has no such filters: figures then name their buildings. */
const ELSEWHERE: Readonly<Record<string, string>> = { area_id: 'g.area_id', customer_group_id: 'k.customer_group_id' };
/** The most buildings that an address names; figures of more lead nowhere. */
const MAX_NAMED = 200;

/** Completed years, both ends included. */
const AGES: readonly { title: string; from: number; to: number }[] = [
  { title: '0 to 5 years', from: 0, to: 5 },
  { title: '6 to 10 years', from: 6, to: 10 },
  { title: '11 to 15 years', from: 11, to: 15 },
  { title: '16 to 20 years', from: 16, to: 20 },
  { title: 'Over 20 years', from: 21, to: 200 },
];

const CHOICES = [
  'lift_make_id',
  'lift_type_id',
  'controller_id',
  'drive_type_id',
  'branch_id',
  'route_id',
  'customer_id',
];

/** The days on which lifts of an age were commissioned. */
function commissioned(age: (typeof AGES)[number], today: string): [string, string] {
  return [addDays(addMonths(today, -12 * (age.to + 1)), 1), addMonths(today, -12 * age.from)];
}

interface Counted extends ReportRow {
  row_key: string | null;
  what: string;
  across_key: string | null;
  across: string;
  lifts: number;
  /** Only while the reader chooses by them. */
  buildings: number[] | null;
}

/** Lifts by any two of their technical data, with obsolete components and the time that spares take. */
const technicalChart: ReportSource = {
  reads: {
    lift: [...Object.keys(REFERENCES), 'commissioned_on', 'roping'],
    building: ['area_id'],
    customer_dtl: ['customer_group_id'],
    ...Object.fromEntries(Object.values(REFERENCES).map((type) => [type, []])),
    ...Object.fromEntries(Object.values(MADE).map((type) => [type, ['support', 'obsolete_from', 'spares_lead_days']])),
  },
  async rows({ session, parameters, scoped, today }) {
    const table = (type: string) => tableName(session.tenant.schema, type);
    const values = new SqlParams();
    const ageCase = () =>
      `case when l.commissioned_on is null then null ${AGES.map((age, at) => `when l.commissioned_on >= ${values.bind(commissioned(age, today)[0])}::date then '${at}'`).join(' ')} end`;
    const keyOf = (name: string) => (name === 'age' ? ageCase() : `l.${name}::text`);
    const [down, across] = [String(parameters.rows ?? 'lift_make_id'), String(parameters.across ?? 'age')];
    const elsewhere = Object.keys(ELSEWHERE).filter((name) => (parameters[name] ?? null) !== null);
    const chosenAge = AGES[Number(parameters.age ?? -1)];
    const where = [
      ...scoped('lift', 'l', values),
      'l.active',
      ...((parameters.status ?? null) === null
        ? [`l.status <> 'decommissioned'`]
        : [`l.status = ${values.bind(parameters.status)}`]),
      ...CHOICES.flatMap((name) =>
        (parameters[name] ?? null) === null ? [] : [`l.${name} = ${values.bind(parameters[name])}`],
      ),
      ...elsewhere.map((name) => `${ELSEWHERE[name]} = ${values.bind(parameters[name])}`),
      ...(chosenAge
        ? [
            `l.commissioned_on between ${values.bind(commissioned(chosenAge, today)[0])}::date and ${values.bind(commissioned(chosenAge, today)[1])}::date`,
          ]
        : []),
    ];
    const day = `${values.bind(today)}::date`;
    const made = Object.entries(MADE).map(([name, type], at) => ({ name, type, alias: `m${at}` }));
    const named = (name: string, key: string) =>
      name in REFERENCES ? `(select n.name from ${table(REFERENCES[name]!)} n where n.id::text = ${key})` : key;
    const counted = await session.tenant.db.query<Counted>(
      preparedStatement(
        `with f as materialized (select ${keyOf(down)} as row_key, ${keyOf(across)} as across_key, l.building_id,
           ${made.map(({ alias }) => `coalesce(${alias}.support = 'obsolete' or ${alias}.obsolete_from <= ${day}, false)`).join(' or ')} as is_obsolete,
           greatest(${made.map(({ alias }) => `${alias}.spares_lead_days`).join(', ')}) as spares
           from ${table('lift')} l left join ${table('building')} g on g.id = l.building_id left join ${table('customer_dtl')} k on k.id = l.customer_id ${made.map(({ name, type, alias }) => `left join ${table(type)} ${alias} on ${alias}.id = l.${name}`).join(' ')}
           where ${where.join(' and ')}),
         g as (select row_key, across_key, count(*)::int as lifts,
           ${elsewhere.length === 0 ? 'null::bigint[]' : 'array_agg(distinct building_id)'} as buildings from f group by 1, 2),
         w as (select row_key, count(*)::int as whole, count(*) filter (where is_obsolete)::int as obsolete, max(spares) as spares,
           round(100.0 * count(*) / sum(count(*)) over (), 1)::text as part from f group by 1)
         select g.row_key, ${named(down, 'g.row_key')} as what, g.across_key, ${named(across, 'g.across_key')} as across, g.lifts, g.buildings,
           w.obsolete, round(100.0 * w.obsolete / w.whole, 1)::text as share, w.spares, w.part
         from g join w on w.row_key is not distinct from g.row_key
         order by ${down === 'age' ? 'g.row_key' : 'what'} nulls last, ${across === 'age' ? 'g.across_key' : 'across'} nulls last limit ${MAX_ROWS + 1}`,
        values.list,
      ),
    );
    const titleOf = (name: string, key: string | null, title: string | null) =>
      key === null ? 'Not entered' : name === 'age' ? AGES[Number(key)]!.title : (title ?? key);
    const only = (name: string, key: string | null): FilterExpression => {
      const field = name === 'age' ? 'commissioned_on' : name;
      if (key === null) return [field, 'empty'];
      if (name === 'age') return [field, 'between', commissioned(AGES[Number(key)]!, today)];
      return [field, 'eq', name in REFERENCES ? Number(key) : key];
    };
    const limits: FilterExpression[] = [
      (parameters.status ?? null) === null ? ['status', 'ne', 'decommissioned'] : ['status', 'eq', parameters.status],
      ...CHOICES.flatMap((name): FilterExpression[] =>
        (parameters[name] ?? null) === null ? [] : [[name, 'eq', parameters[name]]],
      ),
      ...(chosenAge ? [['commissioned_on', 'between', commissioned(chosenAge, today)] as FilterExpression] : []),
    ];
    const columns = new Map<string, string>();
    if (across === 'age') for (const { title } of AGES) columns.set(title, title);
    const rows = counted.map(({ row_key: row, across_key: column, buildings, ...figures }) => {
      const title = titleOf(across, column, figures.across);
      columns.set(title, title);
      const filter = [
        'and',
        ...limits,
        only(down, row),
        only(across, column),
        ...(buildings === null ? [] : [['building_id', 'in', buildings]]),
      ];
      return {
        ...figures,
        what: titleOf(down, row, figures.what),
        across: title,
        ...((buildings?.length ?? 0) <= MAX_NAMED && {
          // This view of the list, its fourth, has the columns of a data sheet.
          lifts__to: `/lift?view=own-3&filter=${encodeURIComponent(JSON.stringify(filter))}`,
        }),
      };
    });
    return { rows, pivot: [...columns.keys()].map((title) => ({ value: title, title })) };
  },
};

export default technicalChart;
