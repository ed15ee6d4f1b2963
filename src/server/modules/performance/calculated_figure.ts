import { Decimal } from 'decimal.js';
import type { Unit } from '../../engine/records/unit.ts';

/** An update whose value nobody enters. */
export interface CalculatedUpdate {
  id: number;
  value: string | null;
  remark: string | null;
  /** Whether it is approved. */
  counts: boolean;
}

/**
 * Stores the figure of an update. A figure is approved at once; without one the update waits, and its remark says why.
 * @param isFinal false while the period runs: the figure is shown, and does not count
 */
export async function storeFigure(
  unit: Unit,
  update: CalculatedUpdate,
  value: string | null,
  remark: string | null,
  isFinal = true,
): Promise<void> {
  const isSame =
    value === null || update.value === null ? value === update.value : new Decimal(value).equals(update.value);
  const counts = isFinal && value !== null;
  if (isSame && remark === update.remark && counts === update.counts) return;
  if (!isSame || remark !== update.remark) await unit.update('kpi_actual', update.id, { value, remark });
  if (counts) await unit.takeAuto('kpi_actual', update.id, 'calculate');
  else if (update.counts) await unit.takeAuto('kpi_actual', update.id, 'take_back');
}
