import type { Session } from '../../access/context.ts';
import { existingTables } from '../../db/existing_tables.ts';
import { tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

type Row = Readonly<Record<string, unknown>>;

const bandsOf = (scheme: Row): Row[] => (Array.isArray(scheme.bands) ? (scheme.bands as Row[]) : []);
const inWords = (count: number): string => `${count} appraisal${count === 1 ? '' : 's'}`;

/** How many appraisals have each band of a scheme; those without a scheme follow the default one. */
async function appraisalsByBand(
  { tenant: { db, schema } }: Session,
  scheme: Row,
  which: 'all' | 'following' = 'all',
): Promise<Map<string, number>> {
  if (!(await existingTables(db, schema)).has('appraisal')) return new Map();
  const rows = await db.query<{ code: string; count: number }>(
    preparedStatement(
      `select band_code as code, count(*)::int as count from ${tableName(schema, 'appraisal')}
       where active and band_code is not null and (rating_scheme_id = $1 or ($2 and rating_scheme_id is null)) group by band_code`,
      [which === 'all' ? scheme.id : null, scheme.is_default === true && scheme.applies_to === 'appraisal'],
    ),
  );
  return new Map(rows.map(({ code, count }) => [code, count]));
}

/** Incentives and letters look a rating up by its code: a band in use stays in its scheme (performance.md §10). */
export default defineHooks({
  async check(session, record, stored) {
    if (stored === null) return [];
    const kept = new Set(bandsOf(record).map(({ code }) => code));
    const gone = bandsOf(stored).filter(({ code }) => !kept.has(code));
    if (gone.length === 0) return [];
    const used = await appraisalsByBand(session, stored);
    return gone.flatMap(({ code, label }) => {
      const count = used.get(String(code));
      return count === undefined
        ? []
        : [
            {
              field: 'bands',
              message: `Band ${String(code)} (${String(label)}) is used by ${inWords(count)}. Keep it with its code, or make this scheme inactive and add a new one.`,
            },
          ];
    });
  },
  /** Appraisals that name the scheme keep it from being deleted; so do those that follow it as the default one. */
  async leave(session, stored, how) {
    if (how !== 'delete') return null;
    const used = await appraisalsByBand(session, stored, 'following');
    const count = [...used.values()].reduce((sum, one) => sum + one, 0);
    return count === 0 ? null : `Used by ${inWords(count)}. Deactivate it instead.`;
  },
});
