import { isForOwnerAlone } from '../../../descriptor/owner_alone.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { weeksUntil } from '../../../domain/iso_week.ts';
import type { DataScope } from '../../access/context.ts';
import { tableName, treeTable } from '../../db/names.ts';
import { activityOfDays } from '../../platform/upkeep/activity_days.ts';
import { companyOf } from '../../access/rights/scope.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportCall, ReportRows, ReportSource } from '../../engine/reports/report_source.ts';
import { MODULE_NAMES } from '../../../domain/modules.ts';

const FIGURES = ['made', 'changed', 'closed'] as const;
const NARROW =
  'Where you see only some records of a list, only your own work and that of your team or branch is counted.';
/** Actions of jobs and of a client's setup have no person. */
const PERSON = `case when a.user_id = 0 then 'The system' else coalesce(u.name, 'User ' || a.user_id) end`;

/** Figures of a week; null = none. */
interface Counted extends Record<(typeof FIGURES)[number], number | null> {
  module: string;
  record_type?: string;
  person?: number | null;
  person__label?: string;
  week: string;
}

/** A type whose activity the reader may count, with the condition on its actions. */
interface CountedType {
  record_type: string;
  module: string;
  people: Exclude<DataScope, 'all_companies'>;
  /** Covers all companies of the reader, not only the current one. */
  wide: boolean;
}

/** For records visible to their owner only, others do not learn the number. */
function countedTypes({ session, screens }: ReportCall, module: unknown): CountedType[] {
  return [...screens.values()].flatMap((screen): CountedType[] => {
    const own = moduleOf(screen);
    if (
      screen.scope === 'platform' ||
      (module !== null && module !== undefined && own !== module) ||
      session.rights.refuse(screen, 'landing') !== null
    )
      return [];
    const scope = session.rights.dataScope(screen);
    return [
      {
        record_type: screen.name,
        module: own,
        people: isForOwnerAlone(screen) ? 'own' : scope === 'all_companies' ? 'company' : scope,
        wide: scope === 'all_companies',
      },
    ];
  });
}

const moduleOf = ({ access }: Screen): string => access.modules[0] ?? 'COMMON';

/**
 * Weekly activity (platform.md §7). History and daily counts have no data scope of their own, so each type is counted
 * for people who may list it, in the companies where they may: all actions, or with a narrower scope those of the
 * reader, their team or the people of their branches.
 */
const weeklyActivity: ReportSource = {
  reads: { users: [], employee: ['branch_id', 'department_id'], branch: [], department: [] },
  async rows(call): Promise<ReportRows> {
    const { session, screens, parameters, by } = call;
    const { tenant } = session;
    const weeks = weeksUntil(call.today, Number(parameters.weeks));
    const values = new SqlParams();
    const counted = countedTypes(call, parameters.module);
    const types = values.bind(JSON.stringify(counted));
    const days = activityOfDays(
      tenant,
      placeOf(session).zones,
      screens,
      { from: weeks[0]!.monday, to: call.today },
      values,
    );
    const keys = [
      't.module',
      ...(by.includes('record_type') ? ['a.record_type'] : []),
      ...(by.includes('person') ? ['nullif(a.user_id, 0) as person', `${PERSON} as person__label`] : []),
      `date_trunc('week', a.day)::date::text as week`,
    ];
    const conditions = [
      `(a.entity_id = 0 or a.entity_id = ${values.bind(companyOf(session))} or (t.wide and a.entity_id = any(${values.bind(session.entityIds)}::bigint[])))`,
      `(t.people = 'company' or a.user_id = ${values.bind(session.userId)} or ${ofTeam(call, values)} or (t.people = 'branch' and e.branch_id = any(${values.bind(session.branchIds)}::bigint[])))`,
    ];
    for (const [name, column] of [
      ['branch', 'e.branch_id'],
      ['department', 'e.department_id'],
      ['user', 'a.user_id'],
    ] as const)
      if (typeof parameters[name] === 'number') conditions.push(`${column} = ${values.bind(parameters[name])}`);
    for (const [name, column] of [
      ['module', 't.module'],
      ['record_type', 'a.record_type'],
    ] as const)
      if (call.within[name] !== undefined) conditions.push(`${column} = ${values.bind(call.within[name])}`);
    const rows = await tenant.db.query<Counted>(
      preparedStatement(
        `select ${[...keys, ...FIGURES.map((figure) => `nullif(sum(a.${figure}), 0)::integer as ${figure}`)].join(', ')}
       from (${days}) a join jsonb_to_recordset(${types}::jsonb) as t(record_type text, module text, people text, wide boolean) on t.record_type = a.record_type
       left join ${tableName(tenant.schema, 'users')} u on u.id = a.user_id left join ${tableName(tenant.schema, 'employee')} e on e.id = u.employee_id
       where ${conditions.join(' and ')} group by ${keys.map((_, at) => at + 1).join(', ')}`,
        values.list,
      ),
    );
    const labelled = rows.map((row) => ({
      ...row,
      module__label: tenant.catalogue?.moduleNames.get(row.module) ?? MODULE_NAMES[row.module] ?? row.module,
      ...(row.record_type !== undefined && {
        record_type__label: screens.get(row.record_type)?.plural ?? row.record_type,
      }),
    }));
    const order = by.map((name) => `${name}__label` as keyof (typeof labelled)[number]);
    labelled.sort((a, b) =>
      order.reduce((found, name) => found || String(a[name]).localeCompare(String(b[name]), 'en'), 0),
    );
    const narrow = counted.some(
      ({ record_type: type, people }) => people !== 'company' && !isForOwnerAlone(screens.get(type)!),
    );
    return {
      rows: labelled,
      pivot: weeks.map(({ monday, title }) => ({ value: monday, title })),
      ...(narrow && { note: NARROW }),
    };
  },
};

/** The condition by which a reader with team scope sees the actions of their reportees. */
function ofTeam({ session, screens }: ReportCall, values: SqlParams): string {
  if (session.employeeId === null || !screens.get('employee')?.tree?.closure) return 'false';
  return `(t.people = 'team' and e.id in (select descendant_id from ${treeTable(session.tenant.schema, 'employee')} where ancestor_id = ${values.bind(session.employeeId)}))`;
}

export default weeklyActivity;
