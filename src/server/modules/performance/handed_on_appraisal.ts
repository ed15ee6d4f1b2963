import type { WireRecord } from '../../../descriptor/types.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { reviewerOf } from './appraisal_facts.ts';
import { appraisalSettings } from './appraisal_settings.ts';

/** Those of some members who have not left. */
export async function stillHere(unit: Unit, people: readonly unknown[]): Promise<ReadonlySet<number>> {
  const ids = people.filter((id) => typeof id === 'number');
  const rows = await unit.query<{ id: number }>(
    `select id from {employee} where id = any($1) and active and status <> 'left'`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Who rates an appraisal that passes on to another manager, and who reviews it then. A rating that a manager who has left
 * had begun goes to its reviewer, who knows the period; before that, and with all open approvals, it goes to the new
 * manager (performance.md §10).
 */
export async function handedOn(
  unit: Unit,
  appraisal: WireRecord,
  { manager, isMoved }: { manager: number | null; isMoved: boolean },
): Promise<Record<string, unknown>> {
  const { employee_id: employee, manager_id: before, reviewer_id: reviewer, status } = appraisal;
  const here = await stillHere(unit, [before, reviewer, manager]);
  const isHere = (id: unknown): id is number => typeof id === 'number' && here.has(id) && id !== employee;
  const isBegun = status === 'manager_rating' && !isMoved && !isHere(before);
  const next = (isBegun ? [reviewer, manager] : [manager, reviewer]).find((id) => isHere(id)) ?? null;
  if (next === null) return {};
  const { reviewer_level: level } = await appraisalSettings(unit);
  const above = await reviewerOf(unit, { employee: Number(employee), manager: Number(next) }, level);
  return {
    manager_id: next,
    reviewer_id: (await stillHere(unit, [above])).has(above ?? 0) ? above : null,
    ...(status === 'manager_rating' && { waiting_for_id: next }),
  };
}
