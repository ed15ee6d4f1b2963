import type { Unit } from '../../engine/records/unit.ts';
import type { Broken } from './board_rows.ts';
import { judgeRules } from './judge_rules.ts';

interface Stored extends Record<string, unknown> {
  id: number;
  unit_id: number;
  rule_id: number;
  seat_id: number | null;
  board_member_id: number | null;
  needed: number | null;
  have: number | null;
  missing: number | null;
  remedy: string | null;
}

const keyOf = (one: Pick<Broken, 'unit_id' | 'rule_id' | 'seat_id' | 'board_member_id'>) =>
  [one.unit_id, one.rule_id, one.seat_id ?? '', one.board_member_id ?? ''].join('/');

/**
 * Stores the rules that a company violates: new violations are added, resolved ones are closed with the day.
 * @returns the new ones
 */
export async function refreshFindings(unit: Unit, company: number, day: string): Promise<Broken[]> {
  const broken = await judgeRules(unit, company, day);
  const open = await unit.query<Stored>(
    `select id, unit_id, rule_id, seat_id, board_member_id, needed, have, missing, remedy from {board_finding}
     where entity_id = $1 and active and state = 'open'`,
    [company],
  );
  const known = new Map(open.map((one) => [keyOf(one), one]));
  const now = new Set(broken.map(keyOf));
  for (const one of open)
    if (!now.has(keyOf(one))) await unit.update('board_finding', one.id, { state: 'over', ended_on: day });
  const fresh: Broken[] = [];
  for (const one of broken) {
    const { needed, have, missing, remedy } = one;
    const before = known.get(keyOf(one));
    if (!before) {
      await unit.create('board_finding', { ...one, since: day, state: 'open' });
      fresh.push(one);
    } else if (
      before.needed !== needed ||
      before.have !== have ||
      before.missing !== missing ||
      before.remedy !== remedy
    )
      await unit.update('board_finding', before.id, { needed, have, missing, remedy });
  }
  return fresh;
}
