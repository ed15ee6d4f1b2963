import type { ModerationBoard } from '../../../../domain/performance/ratings.ts';
import { distributionQuota, normalisedScore } from '../../../../domain/performance/moderation.ts';
import { childTable, tableName } from '../../../db/names.ts';
import { SqlParams, preparedStatement } from '../../../db/sql_text.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { usualSchemeSql } from '../usual_scheme.ts';

const EMPTY: ModerationBoard = { launch: null, bands: [], cards: [] };
const LEAST_GROUP = 5;

interface Rated extends Record<string, unknown> {
  id: number;
  version: number;
  name: string;
  department: string | null;
  manager: string | null;
  manager_id: number;
  score: string;
  computed: string | null;
  band: string | null;
  note: string | null;
  status: string;
  scheme: number | null;
  /** What the members are compared by in their session, and its value; null without a session: all with all. */
  of_group: string | null;
}

/**
 * Ratings of a launch by band, with quota and normalised scores as advice; the reader's own rating is left out
 * (performance.md §5.12).
 */
const moderation: ReportSource = {
  reads: {
    appraisal: ['rated_score', 'rated_band', 'computed_score', 'moderated_score'],
    moderation_session: [],
  },
  async rows({ session, parameters, scoped }) {
    const { tenant, employeeId, entityId, rights } = session;
    if (rights.refuseAction('MODERATE') !== null) return { rows: [], widget: EMPTY };
    const table = (type: string) => tableName(tenant.schema, type);
    const [launch] = await tenant.db.query<{ id: number; title: string }>(
      preparedStatement(
        `select id, title from ${table('appraisal_launch')} where active and entity_id = $1 and ($2::bigint is null or id = $2)
         order by state in ('moderation', 'manager_rating', 'releasing') desc, release_on desc limit 1`,
        [entityId, parameters.launch_id ?? null],
      ),
    );
    if (!launch) return { rows: [], widget: EMPTY };
    const values = new SqlParams();
    const rated = await tenant.db.query<Rated>(
      preparedStatement(
        `select a.id, a.version, e.name, d.name as department, m.name as manager, a.manager_id, a.rated_score::text as score,
           a.computed_score::text as computed, a.rated_band as band, a.moderation_note as note, a.status, a.rating_scheme_id as scheme,
           s.group_by || ' ' || coalesce(case s.group_by when 'department' then a.department_id when 'branch' then a.branch_id
             when 'grade' then e.grade_id else a.manager_id end::text, '') as of_group
         from ${table('appraisal')} a join ${table('employee')} e on e.id = a.employee_id
         left join ${table('department')} d on d.id = a.department_id left join ${table('employee')} m on m.id = a.manager_id
         left join lateral (
           select g.group_by from ${table('moderation_session')} g where g.active and g.status <> 'cancelled' and g.launch_id = a.launch_id
             and (cardinality(coalesce(g.member_ids, '{}')) = 0 or a.employee_id = any(g.member_ids))
           order by cardinality(coalesce(g.member_ids, '{}')) = 0, g.id desc limit 1) s on true
         where a.active and a.launch_id = ${values.bind(launch.id)} and a.rated_score is not null
           and a.status in ('reviewed', 'moderation', 'final', 'released', 'acknowledged', 'closed')
           and a.employee_id is distinct from ${values.bind(employeeId)}
           ${['department_id', 'manager_id'].map((name) => ((parameters[name] ?? null) === null ? '' : `and a.${name} = ${values.bind(parameters[name])}`)).join(' ')}
           and ${['true', ...scoped('appraisal', 'a', values)].join(' and ')}
         order by a.rated_score desc, e.name limit 500`,
        values.list,
      ),
    );
    const bands = await tenant.db.query<{ label: string; from: string; to: string; share: string | null }>(
      preparedStatement(
        `select b.label, b.from_score::text as "from", coalesce(lead(b.from_score) over (order by b.from_score), b.to_score)::text as "to",
           b.distribution_percent::text as share
         from ${childTable(tenant.schema, 'performance_rating', 'bands')} b where b.parent_id = coalesce($1::bigint, ${usualSchemeSql(table('performance_rating'))})
         order by b.from_score`,
        [rated[0]?.scheme ?? null],
      ),
    );
    const [setting] = await tenant.db.query<{ least: number | null }>(
      preparedStatement(
        `select moderation_min_group as least from ${table('rating_setting')} where entity_id = $1 limit 1`,
        [entityId],
      ),
    );
    const shares = bands.map(({ share }) => share ?? '0');
    const quotas = shares.some((share) => Number(share) > 0) ? distributionQuota(rated.length, shares) : null;
    const scoresWhere = (one: (other: Rated) => boolean) => rated.filter(one).map(({ score }) => score);
    const widget: ModerationBoard = {
      launch: launch.title,
      bands: bands.map(({ label, from, to }, at) => ({ label, from, to, quota: quotas?.[at] ?? null })),
      cards: rated.map(({ manager_id: manager, status, scheme: _scheme, of_group: group, ...card }) => ({
        ...card,
        normalised: normalisedScore(
          card.score,
          scoresWhere((one) => one.manager_id === manager && one.of_group === group),
          scoresWhere((one) => one.of_group === group),
          setting?.least ?? LEAST_GROUP,
        ),
        open: status === 'moderation',
      })),
    };
    return { rows: [], widget };
  },
};

export default moderation;
