import type { WireRecord } from '../../../../descriptor/types.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { freshKpisOf } from '../appraisal_facts.ts';

async function refreshAll(unit: Unit, records: readonly WireRecord[]): Promise<void> {
  const kpis = await freshKpisOf(unit, records);
  await unit.changeMany(
    'appraisal',
    records.map(({ id }) => ({ id, set: { ...kpis.get(id)! } })),
  );
}

/** Refreshes the KPIs of appraisals: they follow the updates until the manager submits (§4). */
export const refreshKpis: Effect = {
  elevated: true,
  apply: ({ unit, record }) => refreshAll(unit.elevated(), [record]),
  applyMany: (calls) =>
    refreshAll(
      calls[0]!.unit.elevated(),
      calls.map(({ record }) => record),
    ),
};
