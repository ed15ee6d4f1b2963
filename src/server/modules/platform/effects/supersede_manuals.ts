import type { WireRecord } from '../../../../descriptor/types.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { MANUAL } from '../../../platform/manuals/manual.ts';

/** Other published versions of a manual, in its language. */
async function readVersions(unit: Unit, { id, manual_no: number, language }: WireRecord): Promise<number[]> {
  const rows = await unit.query<{ id: number }>(
    `select id from {user_manual} where active and manual_no = $1 and language = $2 and state = 'published' and id <> $3`,
    [number, language, id],
  );
  return rows.map((row) => row.id);
}

/** Earlier versions are superseded by the published one. */
export const supersedeManuals: Effect = {
  locks: async ({ unit, record }) => (await readVersions(unit, record)).map((id) => ({ type: MANUAL, id })),
  async apply({ unit, record }) {
    for (const id of await readVersions(unit, record)) await unit.takeAuto(MANUAL, id, 'supersede');
  },
};
