import type { WireRecord } from '../../../../descriptor/types.ts';
import type { Job } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { reviewerOf } from '../appraisal_facts.ts';
import { appraisalSettings } from '../appraisal_settings.ts';
import { handedOn, stillHere } from '../handed_on_appraisal.ts';

const APPRAISALS_PER_STEP = 50;

interface Open {
  id: number;
  /** The present manager of the member. */
  manager: number | null;
}

/** The reviewer of an appraisal in place of one who has left. */
async function nextReviewer(unit: Unit, { employee_id: employee, manager_id: manager }: WireRecord) {
  const { reviewer_level: level } = await appraisalSettings(unit);
  const above = await reviewerOf(
    unit,
    { employee: Number(employee), manager: typeof manager === 'number' ? manager : null },
    level,
  );
  return above !== null && (await stillHere(unit, [above])).has(above) ? above : null;
}

/** What changes in an open appraisal because a person has left. */
async function changesOf(unit: Unit, appraisal: WireRecord, leaver: number, manager: number | null) {
  const isOwn = appraisal.employee_id === leaver && appraisal.status !== 'reviewed';
  const rater = appraisal.manager_id === leaver ? await handedOn(unit, appraisal, { manager, isMoved: false }) : {};
  const reviewer =
    appraisal.reviewer_id === leaver && !('reviewer_id' in rater)
      ? { reviewer_id: await nextReviewer(unit, appraisal) }
      : {};
  const after: Record<string, unknown> = { ...appraisal, ...rater, ...reviewer };
  const waits =
    appraisal.status === 'manager_rating'
      ? after.manager_id
      : appraisal.status === 'reviewed'
        ? after.reviewer_id
        : appraisal.waiting_for_id;
  return { ...(isOwn && { has_self_rating: false }), ...rater, ...reviewer, waiting_for_id: waits ?? null };
}

/** Notifies the person for whom an appraisal waits now. */
async function notifyNext(unit: Unit, { id, number, employee_id__label: member, ...appraisal }: WireRecord) {
  const [person] = await unit.query<{ user_id: number | null; due: string | null }>(
    `select e.user_id, to_char($2::date, 'DD-MM-YYYY') as due from {employee} e where e.id = $1`,
    [appraisal.waiting_for_id, appraisal.due_on],
  );
  if (!person || person.user_id === null) return;
  await unit.notify({
    event: 'appraisal.waiting',
    to: [person.user_id],
    entityId: unit.session.entityId,
    link: `/appraisal_landing/view/${id}`,
    record: { type: 'appraisal', id },
    values: { number: String(number), member: String(member), due: person.due ?? '–' },
  });
}

/**
 * When a person has left, nothing waits for them: their own appraisals go on without a self-rating, ratings that they
 * had begun go to the reviewer, other ones to the member's new manager, and their reviews to the one above
 * (performance.md §10).
 */
export const leaveAppraisals: Job = {
  elevated: true,
  async run({ args: { employee }, each }) {
    const leaver = Number(employee);
    const open = await each<Open>(
      (unit, after) =>
        unit.query(
          `select a.id, e.reporting_to_id as manager from {appraisal} a join {employee} e on e.id = a.employee_id
             join {employee} l on l.id = $1 and l.status = 'left'
           where a.active and a.status in ('not_started', 'self_rating', 'manager_rating', 'reviewed')
             and $1 in (a.employee_id, a.manager_id, a.reviewer_id, a.waiting_for_id) and a.id > $2
           order by a.id limit ${APPRAISALS_PER_STEP}`,
          [leaver, after ?? 0],
        ),
      async (person, some) => {
        const unit = person.elevated();
        for (const { id, manager } of some) {
          const before = await unit.read('appraisal', id, { lock: true });
          const set = await changesOf(unit, before, leaver, manager);
          const now = await unit.update('appraisal', id, set);
          if (before.employee_id === leaver && before.status === 'self_rating')
            await unit.takeAuto('appraisal', id, 'end_self');
          else if (now.waiting_for_id !== null && now.waiting_for_id !== before.waiting_for_id)
            await notifyNext(unit, now);
        }
        return some.at(-1)!.id;
      },
    );
    return `${open} appraisals handed on.`;
  },
};
