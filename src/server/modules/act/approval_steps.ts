import { levelDone } from '../../../domain/approval_levels.ts';
import type { Step } from './approval_requests.ts';
import type { Level, RoutedLevel } from './approval_route.ts';

/** The approvers of the levels as steps of a request; nobody is asked yet. */
export const stepsOf = (levels: readonly RoutedLevel[]): Step[] =>
  levels
    .filter(({ isAsked }) => isAsked)
    .flatMap(({ level, need, need_n, people }) =>
      people.map(({ id, why }): Step => ({
        level,
        approver_id: id,
        state: 'later',
        why: why.slice(0, 250),
        need,
        need_n,
        added: null,
      })),
    );

/** The current level of a request and its approvers. */
export interface Standing {
  steps: Step[];
  current_level: number;
  waiting_for_ids: number[];
}

const standing = (steps: Step[], level: number): Standing => ({
  steps,
  current_level: level,
  waiting_for_ids: steps
    .filter((step) => step.level === level && step.state === 'waiting')
    .map(({ approver_id: id }) => id),
});

/** The first level that has an approver, as waiting; the others come later. */
export function begin(steps: readonly Step[]): Standing {
  const first = Math.min(...steps.map(({ level }) => level));
  return standing(
    steps.map((step) => ({ ...step, state: step.level === first ? 'waiting' : 'later' })),
    first,
  );
}

/**
 * The state of a request after one more approval at its current level; null = all levels have approved. A person who
 * approved at an earlier level is not asked again if the level says so, which may decide that level too.
 */
export function afterAgreed(
  said: readonly Step[],
  level: number,
  rules: readonly Pick<Level, 'level' | 'skip_agreed'>[],
): { steps: Step[]; on: Standing | null } {
  let steps = [...said];
  for (let at = level; ;) {
    const of = steps.filter((step) => step.level === at);
    const agreed = of.filter(({ state }) => state === 'approved').length;
    // People added after the time limit may agree instead of the others; the required number does not grow.
    const first = of.filter(({ added }) => added !== true).length;
    if (!levelDone(of[0]!.need, of[0]!.need_n, first, agreed)) return { steps, on: standing(steps, at) };
    steps = steps.map((step) =>
      step.level === at && step.state === 'waiting' ? { ...step, state: 'not_needed' } : step,
    );
    const later = steps.filter(({ state }) => state === 'later').map((step) => step.level);
    if (later.length === 0) return { steps, on: null };
    const next = Math.min(...later);
    const skips = rules.find((rule) => rule.level === next)?.skip_agreed === true;
    const before = steps.filter((step) => step.state === 'approved' && step.by_id === step.approver_id);
    steps = steps.map((step): Step => {
      if (step.level !== next) return step;
      const earlier = skips ? before.find(({ approver_id: id }) => id === step.approver_id) : undefined;
      if (!earlier) return { ...step, state: 'waiting' };
      const { by_id, acted_at } = earlier;
      return { ...step, state: 'approved', by_id, acted_at, remark: `Approved at level ${earlier.level}.` };
    });
    at = next;
  }
}
