import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';

/** What sign-in answers of the performance settings of a company. */
export interface PerformanceFacts {
  appraisal_period_mstr: { id: number; name: string; from_date: string; to_date: string }[];
  rating_setting: [{ self_rating: boolean }];
  calc_settings: [{ show: boolean }];
}

/**
 * Appraisal periods, whether members rate themselves and whether they see how a score came about. Both are yes until
 * the company has settings that say otherwise (specification, section 9); a client whose tables are not there yet has none.
 */
export async function performanceFacts(
  on: Queryable,
  schema: string,
  entityId: number | null,
): Promise<PerformanceFacts> {
  const s = quoted(schema);
  const [there] = await on.query<{ periods: boolean; rating: boolean; calc: boolean }>(
    `select to_regclass($1) is not null as periods, to_regclass($2) is not null as rating, to_regclass($3) is not null as calc`,
    ['appraisal_period', 'rating_setting', 'calc_settings'].map((table) => `${s}.${table}`),
  );
  const setting = async (made: boolean, table: string, column: string): Promise<boolean> => {
    if (!made || entityId === null) return true;
    const [row] = await on.query<{ value: string }>(
      `select ${column} as value from ${s}.${table} where entity_id = $1 order by id limit 1`,
      [entityId],
    );
    return row?.value !== 'no';
  };
  const [periods, selfRating, show] = await Promise.all([
    there?.periods
      ? on.query<PerformanceFacts['appraisal_period_mstr'][number]>(
          `select id, name, starts_on::text as from_date, ends_on::text as to_date from ${s}.appraisal_period where active order by starts_on desc, id limit 100`,
        )
      : [],
    setting(there?.rating ?? false, 'rating_setting', 'self_rating'),
    setting(there?.calc ?? false, 'calc_settings', 'show'),
  ]);
  return { appraisal_period_mstr: periods, rating_setting: [{ self_rating: selfRating }], calc_settings: [{ show }] };
}
