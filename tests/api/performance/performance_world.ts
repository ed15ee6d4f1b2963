import { expect } from 'vitest';
import { branchWithMembers } from '../fms/branch_with_members.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

export type Row = Record<string, unknown>;
export type Doc = Row & { id: number; version: number; status: string };

/** A company with a head, a manager (mina) and two members (asha under mina, ravi under the head), KPIs and their settings. */
export interface PerformanceWorld {
  world: World;
  acme: TestTenant;
  people: Record<string, Caller>;
  ids: Record<string, number>;
}

export async function ok<Answer = Doc>(answer: ReturnType<Caller['call']>, status = 200): Promise<Answer> {
  const got = await answer;
  expect(got.statusCode, got.body).toBe(status);
  return got.json<{ data: Answer }>().data;
}

/** Calls of people by name. */
export function callsOf({ people }: PerformanceWorld) {
  const read = (type: string, id: number, by = 'admin') => ok(people[by]!.call('GET', `/tapi/${type}/${id}`));
  return {
    read,
    add: async (type: string, record: object, by = 'admin') =>
      (await ok(people[by]!.call('POST', `/tapi/${type}`, record), 201)).id,
    list: (type: string, by: string, filter?: unknown) =>
      ok<Doc[]>(
        people[by]!.call(
          'GET',
          `/tapi/${type}?size=100${filter ? `&filter=${encodeURIComponent(JSON.stringify(filter))}` : ''}`,
        ),
      ),
    step: async (type: string, id: number, name: string, by: string, more: object = {}) =>
      people[by]!.call('POST', `/tapi/${type}/${id}/${name}`, { version: (await read(type, id)).version, ...more }),
    /** Sends what differs from the stored lines of a sheet, as its form does: by cell. */
    setLines: async (sheet: number, lines: readonly Row[], by: string) => {
      const { lines: stored } = (await read('kpi_sheet', sheet)) as Doc & { lines: Row[] };
      const before = new Map(stored.map((line) => [line.kpi_id, line]));
      const cells = lines.flatMap((line) => {
        const old = before.get(line.kpi_id);
        const set = Object.entries(line).flatMap(([name, value]) =>
          !old || name === 'id' || name.includes('__') || (old[name] ?? null) === value
            ? []
            : [[name, [old[name] ?? null, value]] as const],
        );
        return set.length === 0 ? [] : [{ id: old!.id, set: Object.fromEntries(set) }];
      });
      return people[by]!.call('PATCH', `/tapi/kpi_sheet/${sheet}/rows/lines`, {
        cells,
        insert: lines.filter(({ kpi_id: kpi }) => !before.has(kpi)),
        remove: stored.filter(({ kpi_id: kpi }) => !lines.some((line) => line.kpi_id === kpi)).map(({ id }) => id),
      });
    },
    change: async (type: string, id: number, set: object, by: string) =>
      people[by]!.call('PUT', `/tapi/${type}/${id}`, { version: (await read(type, id)).version, ...set }),
  };
}

/** Starts it; the caller closes the world. */
export async function startPerformance(): Promise<PerformanceWorld> {
  const people: Record<string, Caller> = {};
  const ids: Record<string, number> = {};
  const world = await startWorld();
  const acme = await world.tenant({ products: ['PMS', 'BOARD'] });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  const screens = (scope: 'own' | 'team') =>
    Object.fromEntries(
      [
        'SCN_EMPLOYEE_KPI',
        'SCN_SET_TARGET',
        'SCN_ACTUAL_VIEW',
        'SCN_SCORE_LIST',
        'SCN_KPI_OVERALL_ACK_REPORT',
        'SCN_SCORECARD',
        'SCN_KPI_ADDITIONS',
        'SCN_IDP',
        'SCN_EMP_KPI_FEEDBACK',
        'SCN_KPI_FEEDBACK_REQUEST',
        'SCN_FEEDBACK_DASHBOARDS',
        'SCN_APPRAISAL',
        'SCN_APPRAISAL_LAUNCH',
      ].map((code) => [
        code,
        {
          pages: [
            'landing' as const,
            'view_screen' as const,
            'edit_screen' as const,
            ...(scope === 'own' && code === 'SCN_KPI_FEEDBACK_REQUEST' ? (['add_screen'] as const) : []),
            ...(scope === 'team' ? (['add_screen', 'approval_screen'] as const) : []),
          ],
          scope,
        },
      ]),
    );
  const member = await acme.role({ modules: ['PERFORMANCE'], screens: screens('own') });
  const manager = await acme.role({
    modules: ['PERFORMANCE'],
    screens: screens('team'),
    actions: ['FREEZE_PERIOD', 'ADMIN_ACTUAL', 'RUN_REPORTS', 'IMPORT_DATA'],
  });
  for (const [name, role] of [
    ['head', manager],
    ['mina', manager],
    ['asha', member],
    ['ravi', member],
  ] as const)
    await acme.user(name, { companies: [{ company: 1, roles: [role] }] });
  people.admin = await world.signIn(acme, 'admin');
  const made: PerformanceWorld = { world, acme, people, ids };
  const { add } = callsOf(made);
  const [tn] = await acme.sql<{ id: number; city: number; country_id: number }>(
    `select s.id, s.country_id, (select c.id from {s}.city_mstr c where c.state_id = s.id order by c.id limit 1) as city from {s}.state_mstr s`,
  );
  const { member: employee } = await branchWithMembers(
    add,
    { city: tn!.city, state_id: tn!.id, country: tn!.country_id },
    {
      branch: { code: 'CHN' },
      department: { code: 'D1', name: 'Sales' },
      designation: { code: 'S1', name: 'Officer' },
    },
  );
  const above: Record<string, string> = { mina: 'head', asha: 'mina', ravi: 'head' };
  for (const [at, name] of ['head', 'mina', 'asha', 'ravi'].entries()) {
    const caller = await world.signIn(acme, name);
    ids[name] = await employee(`E1000${at}`, {
      user_id: caller.userId,
      ...(above[name] && { reporting_to_id: ids[above[name]] }),
    });
    await acme.sql('update {s}.users set employee_id = $2 where id = $1', [caller.userId, ids[name]]);
    people[name] = await world.signIn(acme, name);
  }
  const kpiType = await add('kpi_type', { code: 'FIN', name: 'Financial', perspective: 'financial', weight_max: '70' });
  const uom = await add('uom', { code: 'NOS', name: 'Numbers', decimals: 0, dimension: 'count', uqc: 'NOS' });
  const kpi = (code: string, more: object = {}) =>
    add('kpi', { code, name: code, kpi_type_id: kpiType, uom_id: uom, valid_from: '2024-04-01', ...more });
  ids.SALES = await kpi('SALES', { comment_below_percent: '80' });
  ids.COMPLAINTS = await kpi('COMPLAINTS', { direction: 'lower', tolerance: '10' });
  ids.NPS = await kpi('NPS', { measure: 'metric', period_aggregation: 'average' });
  ids.AUDIT = await kpi('AUDIT', { frequency: 'quarterly', period_aggregation: 'average', approval_required: false });
  await add('performance_rating', {
    code: 'STD',
    name: 'Standard',
    applies_to: 'kpi',
    valid_from: '2024-04-01',
    is_default: true,
    bands: [
      { code: '1', label: 'Needs improvement', from_score: '0', to_score: '79.99', grade_points: '1' },
      { code: '2', label: 'Meets', from_score: '80', to_score: '94.99', grade_points: '2' },
      { code: '3', label: 'Exceeds', from_score: '95', to_score: '120', grade_points: '3' },
    ],
  });
  await add('kpi_settings', {
    name: 'Monthly',
    frequency: 'monthly',
    opens_days: 0,
    due_days: 3,
    approve_days: 6,
    freeze_days: 9,
  });
  return made;
}
