import { workingDaysHeld } from '../../../../domain/act_cases/case_plan.ts';
import { STANDARD_BANDS, bandScore, lateDays } from '../../../../domain/act_filings/late_cost.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { doerOf, stepsOfType } from '../case_people.ts';
import { countedDays, goOn, hasEnded, planOf, setStep, stepsOf, subjectOf } from '../case_rows.ts';
import { holdsFor, storedValue } from '../record_condition.ts';

const TASK = 'chk_task_instance';

/** Gives a case the steps of its type with people, dates and tasks; steps without open predecessors open at once. */
export const start: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const subject = await subjectOf(unit, record);
    const described = await stepsOfType(unit, Number(record.case_type_id));
    const add: Record<string, unknown>[] = [];
    const there = new Set((await stepsOf(unit, record.id)).map(({ code }) => code));
    for (const step of described.filter(({ code }) => !there.has(code)))
      add.push({
        code: step.code,
        title: step.title,
        stage: step.stage,
        after: step.after ?? [],
        offset_days: step.offset_days ?? 0,
        pauses: step.pauses,
        days: step.days,
        mandatory: step.mandatory ?? true,
        assignee_id: await doerOf(unit, step, Number(record.owner_id), subject),
        state: holdsFor(step.condition, subject) ? 'waiting' : 'dropped',
      });
    if (add.length > 0) await unit.update('act_case', record.id, { steps: { add } });
    const about = new Map(described.map((step) => [step.code, step]));
    const {
      dates,
      end_on: end,
      critical,
    } = planOf(await stepsOf(unit, record.id), String(record.start_on), await countedDays(unit, record));
    const type = await unit.read('case_type', Number(record.case_type_id));
    for (const one of await stepsOf(unit, record.id)) {
      const at = dates.get(one.code);
      if (!at) continue;
      const step = about.get(one.code);
      if (!step || one.task_id !== null) continue;
      const task = await unit.create(TASK, {
        origin: 'case',
        origin_type: 'act_case',
        origin_id: record.id,
        origin_name: `${String(record.case_no)} · ${String(record.title)}`.slice(0, 120),
        title: step.title,
        instructions: step.instructions,
        form_id: step.form_id,
        criticality: step.criticality ?? 'medium',
        assignee_id: await doerOf(unit, step, Number(record.owner_id), subject),
        owner_id: record.owner_id,
        branch_id: record.branch_id ?? null,
        due_on: at.to_on,
        ...(typeof type.slab_id === 'number' && { slab_id: type.slab_id }),
      });
      await setStep(unit, record.id, one.id, {
        planned_from: at.from_on,
        planned_to: at.to_on,
        ...at,
        critical: critical.includes(one.code),
        task_id: task.id,
      });
    }
    await unit.update('act_case', record.id, { planned_end: end, expected_end: end });
    await goOn(unit, record.id);
  },
};

/** While a case is on hold, its open tasks wait too. */
export const hold: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    await holdTasks(unit.elevated(), record.id, true);
  },
};

async function holdTasks(unit: Unit, caseId: number, held: boolean): Promise<void> {
  for (const step of await stepsOf(unit, caseId))
    if (step.task_id !== null && (!held || !hasEnded(step))) await unit.update(TASK, step.task_id, { held });
}

/** Moves everything that has not ended by the working days that the case was on hold. */
export const resume: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const works = await countedDays(unit, record);
    const held =
      typeof record.held_from === 'string' ? workingDaysHeld(record.held_from, dayOfRecord(unit, record), works) : 0;
    const at = (day: string) => {
      let result = day;
      for (let left = held; left > 0;) {
        result = new Date(Date.parse(`${result}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
        if (works(result)) left--;
      }
      return result;
    };
    for (const step of await stepsOf(unit, record.id))
      if (step.state === 'open' && step.from_on && step.to_on) {
        const to = at(step.to_on);
        await setStep(unit, record.id, step.id, { to_on: to });
        if (step.task_id !== null) await unit.update(TASK, step.task_id, { due_on: to });
      }
    await unit.update('act_case', record.id, { held_from: null });
    await holdTasks(unit, record.id, false);
    await goOn(unit, record.id);
  },
};

/**
 * When a case is closed: sets its points, and the fields of its subject record, with the rights of the person closing
 * it.
 */
export const close: Effect = {
  async apply({ unit, record }) {
    const rows = await unit.query<{ field: string; value: string }>(
      'select field, value from {case_type.on_close_set} where parent_id = $1 order by id',
      [record.case_type_id],
    );
    if (rows.length > 0 && typeof record.subject_type === 'string' && typeof record.subject_id === 'number') {
      unit.authorize(record.subject_type, 'edit_screen');
      const subject = await subjectOf(unit, record);
      await unit.update(
        record.subject_type,
        record.subject_id,
        Object.fromEntries(rows.map(({ field, value }) => [field, storedValue(value, subject)])),
      );
    }
    const bands = await unit.query<{ from_value: string; score: string }>(
      `select b.from_value::text, b.score::text from {case_type} t join {slab.bands} b on b.parent_id = t.slab_id where t.id = $1`,
      [record.case_type_id],
    );
    const planned = String(record.planned_end ?? record.closed_on);
    await unit.update('act_case', record.id, {
      score: bandScore(lateDays(planned, dayOfRecord(unit, record)), bands.length > 0 ? bands : STANDARD_BANDS),
    });
  },
};

/** Cancels the open tasks of a case that is cancelled. */
export const cancel: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    for (const step of await stepsOf(unit, record.id))
      if (!hasEnded(step)) {
        if (step.task_id !== null)
          await unit.takeAuto(TASK, step.task_id, 'withdraw', { na_reason: 'The case was cancelled.' });
        await setStep(unit, record.id, step.id, { state: 'not_applicable' });
      }
  },
};
