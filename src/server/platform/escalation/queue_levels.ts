import type { LevelBand } from '../../../domain/act/slab_level.ts';
import { bandReached } from '../../../domain/act/slab_level.ts';
import type { Unit } from '../../engine/records/unit.ts';

/** Work past its due day, with the bands of its slab. */
export interface LateWork {
  id: number;
  /** The level that people were last notified of. */
  noticed_level: number | null;
  bands: readonly LevelBand[];
  /** Days late, counted as the slab counts them. */
  days: number;
}

/** The bands of a slab as JSON, in SQL; `slab`: an expression of its id. */
export const levelBands = (slab: string): string =>
  `(select json_agg(json_build_object('from_value', b.from_value::text, 'level', b.level, 'esclation_id', b.esclation_id)) from {slab.bands} b where b.parent_id = ${slab})`;

/**
 * Keeps the level that each late record has reached, and queues the messages of a higher one for Mail configuration.
 * @returns the number of records that reached a higher level
 */
export async function queueLevels(unit: Unit, type: string, late: readonly LateWork[]): Promise<number> {
  const reached = late.map((work) => ({ ...work, band: bandReached(work.days, work.bands) }));
  const changed = reached.filter(({ band, noticed_level: noticed }) => (band?.level ?? null) !== noticed);
  const higher = changed.flatMap(({ id, band, noticed_level: noticed }) =>
    band && band.level > (noticed ?? 0) ? [{ id, band }] : [],
  );
  await unit.query(
    `update {${type}} t set noticed_level = x.level from jsonb_to_recordset($1::jsonb) x(id bigint, level int) where t.id = x.id`,
    [JSON.stringify(changed.map(({ id, band }) => ({ id, level: band?.level ?? null })))],
  );
  await unit.createMany(
    'escalation_waiting',
    higher.map(({ id, band }) => ({
      happened_at: unit.now.toISOString(),
      module: type,
      event: 'band',
      level: band.level,
      esclation_id: band.esclation_id,
      record_type: type,
      record_id: id,
    })),
  );
  return higher.length;
}
