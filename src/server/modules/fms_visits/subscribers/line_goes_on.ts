import { daysIn } from '../../../../domain/fms/contract_years.ts';
import type { Subscriber } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { planLines } from '../plan_lines.ts';

/** An open visit. */
interface Visit {
  id: number;
  status: 'planned' | 'released';
  contract_year: number;
  visit_no: number;
  visits_per_year: number;
  due_on: string;
}

const DAYS_OF_YEAR = 365;

const visitsOf = (unit: Unit, line: number) =>
  unit.query<Visit>(
    `select id, status, contract_year, visit_no, visits_per_year, due_on::text from {scheduled_ticket}
     where contract_line_id = $1 and status in ('planned', 'released') order by due_on, id for update`,
    [line],
  );

const daysBetween = (a: string, b: string) =>
  a <= b ? daysIn({ from_on: a, to_on: b }) - 1 : daysIn({ from_on: b, to_on: a }) - 1;

/** Moves the visits of a line to the line that continues it, each replacing the nearest visit there. */
async function giveOver(unit: Unit, old: readonly Visit[], next: number): Promise<Set<number>> {
  await planLines(unit, { lines: [next] });
  let free = await visitsOf(unit, next);
  const taken = new Set<number>();
  for (const visit of old) {
    const reach = Math.ceil(DAYS_OF_YEAR / visit.visits_per_year / 2) + 1;
    const [near] = free
      .filter(({ due_on: due }) => daysBetween(due, visit.due_on) <= reach)
      .toSorted((a, b) => daysBetween(a.due_on, visit.due_on) - daysBetween(b.due_on, visit.due_on));
    if (!near) continue;
    free = free.filter(({ id }) => id !== near.id);
    await unit.remove('scheduled_ticket', near.id);
    await unit.update('scheduled_ticket', visit.id, {
      contract_line_id: next,
      contract_year: near.contract_year,
      visit_no: near.visit_no,
    });
    taken.add(visit.id);
  }
  return taken;
}

/**
 * Visits of lines that end early move to the line that replaces them, with their day, technician and ticket; visits
 * without a replacement line are cancelled, unless a technician has them already.
 */
export const lineGoesOn: Subscriber = {
  async run({ event, unit }) {
    const { lines } = event.payload as unknown as {
      lines: { contract_line_id: number; new_line_id: number | null }[];
    };
    for (const { contract_line_id: line, new_line_id: next } of lines) {
      const old = await visitsOf(unit, line);
      const taken = next === null ? new Set<number>() : await giveOver(unit, old, next);
      for (const { id, status } of old)
        if (status === 'planned' && !taken.has(id)) await unit.takeAuto('scheduled_ticket', id, 'cancel');
    }
  },
};
