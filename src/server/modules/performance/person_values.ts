import type { PersonFigure } from '../../engine/person_figure.ts';
import type { Unit } from '../../engine/records/unit.ts';

/** The values of people over some days; null if the client does not use the records. */
export async function personValues(
  unit: Unit,
  { reads, sql }: PersonFigure,
  people: readonly number[],
  days: { first: string; last: string; timezone: string },
): Promise<ReadonlyMap<number, string> | null> {
  const [known] = await unit.query<{ all: boolean }>(
    `select ${reads.map((type) => `to_regclass('{${type}}') is not null`).join(' and ')} as all`,
  );
  if (!known!.all) return null;
  const rows = await unit.query<{ person: number; value: string }>(
    `with span as (select $1::bigint[] as people, $2::date as first, $3::date as last, $4::text as zone) ${sql}`,
    [people, days.first, days.last, days.timezone],
  );
  return new Map(rows.map(({ person, value }) => [person, value]));
}
