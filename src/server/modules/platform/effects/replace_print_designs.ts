import type { WireRecord } from '../../../../descriptor/types.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';

const TYPE = 'print_design';

/** Other designs of the document that are in use in its companies. */
async function inUse(unit: Unit, { id, document, company_id: company }: WireRecord): Promise<number[]> {
  const rows = await unit.query<{ id: number }>(
    `select id from {print_design} where active and document = $1 and company_id is not distinct from $2 and state = 'in_use' and id <> $3`,
    [document, company ?? null, id],
  );
  return rows.map((row) => row.id);
}

/** The activated design replaces the previous one. */
export const replacePrintDesigns: Effect = {
  locks: async ({ unit, record }) => (await inUse(unit, record)).map((id) => ({ type: TYPE, id })),
  async apply({ unit, record }) {
    for (const id of await inUse(unit, record)) await unit.takeAuto(TYPE, id, 'replace');
  },
};
