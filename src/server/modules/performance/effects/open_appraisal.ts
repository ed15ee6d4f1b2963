import type { WireRecord } from '../../../../descriptor/types.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { freshKpisOf, templateRows } from '../appraisal_facts.ts';

async function openAll(unit: Unit, records: readonly WireRecord[]): Promise<void> {
  const kpis = await freshKpisOf(unit, records);
  const changes: { id: number; set: Record<string, unknown> }[] = [];
  for (const { id, template_id: template } of records)
    changes.push({ id, set: { ...kpis.get(id)!, ...(await templateRows(unit, template)) } });
  await unit.changeMany('appraisal', changes);
}

/** Opens appraisals with the current KPIs and the template's competencies and questions. */
export const openAppraisal: Effect = {
  elevated: true,
  apply: ({ unit, record }) => openAll(unit.elevated(), [record]),
  applyMany: (calls) =>
    openAll(
      calls[0]!.unit.elevated(),
      calls.map(({ record }) => record),
    ),
};
