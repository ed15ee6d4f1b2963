import { join } from 'node:path';
import { loadModules } from '../../src/server/engine/load_modules.ts';
import type { FigureOwner } from '../../src/server/engine/record_figure.ts';
import { figureSql } from '../../src/server/engine/record_figure.ts';
import type { TestTenant } from './world.ts';

export const recordFigures = new Map(
  (await loadModules(join(import.meta.dirname, '../../src/server/modules'))).flatMap(({ figures = {} }) =>
    Object.entries(figures),
  ),
);

/** The value of a figure of records for a member or unit over some days, as KPIs read it; null = there is none. */
export async function figureOf(
  { sql }: Pick<TestTenant, 'sql'>,
  name: string,
  owner: number,
  [first, last]: readonly [string, string] = ['2020-01-01', '2030-01-01'],
  kind: FigureOwner = 'employee',
): Promise<string | null> {
  const statement = figureSql(recordFigures.get(name)!, kind).replaceAll(
    /\{(\w+)(?:\.(\w+))?\}/g,
    (_all, type: string, rows?: string) => (rows === undefined ? `{s}.${type}` : `{s}.${type}__${rows}`),
  );
  const [row] = await sql<{ value: string }>(
    `with span as (select $1::bigint[] as owners, $2::date as first, $3::date as last, $4::text as zone, 1::bigint as company, null::bigint as kpi),
       working as (select 0::bigint as person, null::date as day where false) ${statement}`,
    [[owner], first, last, 'Asia/Kolkata'],
  );
  return row?.value ?? null;
}
