import { join } from 'node:path';
import { loadModules } from '../../src/server/engine/load_modules.ts';
import type { TestTenant } from './world.ts';

export const personFigures = new Map(
  (await loadModules(join(import.meta.dirname, '../../src/server/modules'))).flatMap(({ figures = {} }) =>
    Object.entries(figures),
  ),
);

/** The value of a figure of records for an employee over some days, as KPIs read it; null = there is none. */
export async function figureOf(
  { sql }: Pick<TestTenant, 'sql'>,
  name: string,
  person: number,
  [first, last]: readonly [string, string] = ['2020-01-01', '2030-01-01'],
): Promise<string | null> {
  const statement = personFigures
    .get(name)!
    .sql.replaceAll(/\{(\w+)(?:\.(\w+))?\}/g, (_all, type: string, rows?: string) =>
      rows === undefined ? `{s}.${type}` : `{s}.${type}__${rows}`,
    );
  const [row] = await sql<{ value: string }>(
    `with span as (select $1::bigint[] as people, $2::date as first, $3::date as last, $4::text as zone, 1::bigint as company, null::bigint as kpi),
       working as (select 0::bigint as person, null::date as day where false) ${statement}`,
    [[person], first, last, 'Asia/Kolkata'],
  );
  return row?.value ?? null;
}
