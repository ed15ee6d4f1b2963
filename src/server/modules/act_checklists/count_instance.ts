import type { ScoredTask } from '../../../domain/act/task_score.ts';
import { complianceScore } from '../../../domain/act/task_score.ts';
import { Decimal } from 'decimal.js';
import { dayIn, placeOf } from '../../services/clock/client_day.ts';
import type { Unit } from '../../engine/records/unit.ts';

/** The columns of a task that a score is made of; `last_day` is the last on which it is in time. */
export const SCORED = `t.weight::text as weight, t.criticality, t.outcome, t.score::text as score, (t.due_on + coalesce(t.grace_days, 0))::text as last_day`;

/**
 * Recalculates an instance from its tasks: open tasks, progress, score, next day; it is completed when none is open.
 */
export async function countInstance(unit: Unit, id: number): Promise<void> {
  const tasks = await unit.query<
    ScoredTask & { state: string; due_on: string; colour: string; approver_id: number | null }
  >(
    `select ${SCORED}, t.state, t.due_on::text, t.colour, t.approver_id from {chk_task_instance} t where t.origin_type = 'chk_instance' and t.origin_id = $1 and t.active`,
    [id],
  );
  const counted = tasks.filter(({ state }) => state !== 'cancelled');
  const ended = new Set(['completed', 'not_applicable', 'missed']);
  const open = counted.filter(({ state }) => !ended.has(state));
  const weight = (list: typeof tasks) => list.reduce((sum, one) => sum.add(one.weight), new Decimal(0));
  const all = weight(counted);
  const done = weight(counted.filter(({ state }) => ended.has(state)));
  const { score } = complianceScore(tasks, dayIn(placeOf(unit.session).timezone));
  const has = (colour: string) => open.some((one) => one.colour === colour);
  await unit.query(
    `update {chk_instance} set tasks_total = $2, tasks_open = $3, waiting_approval = $4, next_due_on = $5, progress = $6, score = $7, colour = $8 where id = $1`,
    [
      id,
      counted.length,
      open.length,
      open.filter(({ state, approver_id: approver }) => state === 'submitted' && approver !== null).length,
      open.map((one) => one.due_on).toSorted()[0] ?? null,
      all.isZero() ? 0 : done.mul(100).div(all).toDecimalPlaces(2).toFixed(2),
      score?.toFixed(2) ?? null,
      open.length === 0 ? 'grey' : has('red') ? 'red' : has('amber') ? 'amber' : 'green',
    ],
  );
  await unit.takeAuto('chk_instance', id, open.length === 0 ? 'complete' : 'go_on');
}
