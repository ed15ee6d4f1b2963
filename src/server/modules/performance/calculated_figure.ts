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

/** The figure that an update should have. */
export interface Figure {
  update: CalculatedUpdate;
  value: string | null;
  remark: string | null;
  /** False while the period runs: the figure is shown, and does not count. */
  isFinal?: boolean;
}

const isSame = (one: string | null, other: string | null): boolean =>
  one === null || other === null ? one === other : new Decimal(one).equals(other);

/** Stores figures of updates. A figure is approved at once; without one an update waits, and its remark says why. */
export async function storeFigures(unit: Unit, figures: readonly Figure[]): Promise<void> {
  const changed = figures.flatMap(({ update, value, remark, isFinal = true }) => {
    const isKept = isSame(value, update.value) && remark === update.remark;
    const counts = isFinal && value !== null;
    return isKept && counts === update.counts ? [] : [{ update, value, remark, isKept, counts }];
  });
  await unit.changeMany(
    'kpi_actual',
    changed.flatMap(({ update: { id }, value, remark, isKept }) => (isKept ? [] : [{ id, set: { value, remark } }])),
  );
  const ids = (which: (one: (typeof changed)[number]) => boolean) =>
    changed.filter(which).map(({ update }) => update.id);
  await unit.takeAutoMany(
    'kpi_actual',
    ids(({ counts }) => counts),
    'calculate',
  );
  await unit.takeAutoMany(
    'kpi_actual',
    ids(({ counts, update }) => !counts && update.counts),
    'take_back',
  );
}
