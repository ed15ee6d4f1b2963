import { distributionQuota } from '../../../domain/performance/moderation.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { childTable, tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportCall, ReportSource } from '../../engine/reports/report_source.ts';
import { peopleChoices } from './people_choices.ts';
import { usualSchemeSql } from './usual_scheme.ts';

const READS = { appraisal: ['band', 'final_score'], appraisal_period: [], performance_rating: [], employee: [] };

interface Rated extends Record<string, unknown> {
  scheme: number | null;
  manager_id: number | null;
  manager: string | null;
  band: string;
  members: number;
}

interface Band extends Record<string, unknown> {
  scheme: number;
  name: string;
  label: string;
  share: string;
}

/** How many members have each final rating, by manager; the reader's own counts once the reader may see it. */
async function ratedMembers(call: ReportCall): Promise<Rated[]> {
  const { session, parameters, scoped } = call;
  const { tenant, employeeId } = session;
  const values = new SqlParams();
  const where = [
    'a.active',
    'a.band is not null',
    `a.status <> 'excluded'`,
    `(a.employee_id is distinct from ${values.bind(employeeId)}::bigint
      or (a.status in ('released', 'acknowledged', 'appealed', 'closed') and a.shows_rating))`,
    ...((parameters.period_id ?? null) === null ? [] : [`a.period_id = ${values.bind(parameters.period_id)}`]),
    ...scoped('appraisal', 'a', values),
    ...peopleChoices(call, 'a', values),
  ];
  return tenant.db.query<Rated>(
    preparedStatement(
      `select coalesce(a.rating_scheme_id, ${usualSchemeSql(tableName(tenant.schema, 'performance_rating'))}) as scheme, a.manager_id, m.name as manager, a.band, count(*)::int as members
       from ${tableName(tenant.schema, 'appraisal')} a left join ${tableName(tenant.schema, 'employee')} m on m.id = a.manager_id
       where ${where.join(' and ')} group by 1, 2, 3, 4 order by m.name, 2, 4`,
      values.list,
    ),
  );
}

/** The bands of the schemes that were used, from the lowest score up. */
async function bandsOf({ session: { tenant } }: ReportCall, rated: readonly Rated[]): Promise<Band[]> {
  return tenant.db.query<Band>(
    preparedStatement(
      `select r.id as scheme, r.name, b.label, coalesce(b.distribution_percent, 0)::text as share
       from ${tableName(tenant.schema, 'performance_rating')} r
       join ${childTable(tenant.schema, 'performance_rating', 'bands')} b on b.parent_id = r.id
       where r.id = any($1::bigint[]) order by r.name, r.id, b.from_score`,
      [rated.map(({ scheme }) => scheme)],
    ),
  );
}

/** Members by band beside the number that the scheme expects, by largest remainders (performance.md §5.12, 7). */
export const ratingDistribution: ReportSource = {
  reads: READS,
  async rows(call) {
    const rated = await ratedMembers(call);
    const bands = await bandsOf(call, rated);
    const rows = [...Map.groupBy(bands, ({ scheme }) => scheme)].flatMap(([scheme, own]): ReportRow[] => {
      const members = rated.filter((one) => one.scheme === scheme);
      const counted = (label: string) =>
        members.filter(({ band }) => band === label).reduce((all, one) => all + one.members, 0);
      const total = members.reduce((all, one) => all + one.members, 0);
      const shares = own.map(({ share }) => share);
      const quotas = shares.some((share) => Number(share) > 0) ? distributionQuota(total, shares) : null;
      return own.map(({ name, label, share }, at) => {
        const expected = quotas?.[at] ?? null;
        const actual = counted(label);
        return {
          scheme: name,
          band: label,
          share: quotas === null ? null : share,
          expected,
          rated: actual,
          difference: expected === null ? null : actual - expected,
        };
      });
    });
    return { rows };
  },
};

/** Members of each manager by band. */
export const ratingsByManager: ReportSource = {
  reads: READS,
  async rows(call) {
    const rated = await ratedMembers(call);
    const bands = await bandsOf(call, rated);
    const labels = [...new Set([...bands, ...rated.map(({ band: label }) => ({ label }))].map(({ label }) => label))];
    return {
      rows: rated.map(({ manager_id, manager, band, members }) => ({
        manager_id,
        manager_id__label: manager ?? 'None',
        band,
        members,
      })),
      pivot: labels.map((label) => ({ value: label, title: label })),
    };
  },
};
