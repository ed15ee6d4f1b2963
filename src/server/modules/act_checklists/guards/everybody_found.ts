import type { FieldError } from '../../../../descriptor/types.ts';
import { occurrences, ruleProblem } from '../../../../domain/act/recurrence.ts';
import type { Guard } from '../../../engine/modules.ts';
import { placesOf } from '../checklist_directory.ts';
import { scheduleOf } from '../checklist_schedule.ts';
import { daysKey, planningOf, readChecklists } from '../generate.ts';
import { doersOf } from '../who_does_it.ts';
import { DateTime } from 'luxon';
import { formatNumber } from '../../../../descriptor/format.ts';

/** The maximum number of tasks per year of one checklist. */
const MAX_A_YEAR = 100_000;
/** More occurrences per year at one place are confirmed first: they are usually a mistake. */
const CONFIRMED_FROM = 400;
const LOOK_YEARS = 5;

/**
 * A checklist can run only if its schedule has a day, it does not create too many tasks, and each task finds a person
 * at every place.
 */
export const everybodyFound: Guard = {
  elevated: true,
  async check({ unit: person, record }) {
    const unit = person.elevated();
    const [checklist] = await readChecklists(unit, [record.id]);
    if (!checklist) return [];
    const errors: FieldError[] = [];
    const planning = await planningOf(unit, [checklist]);
    const { directory, calendars, today } = planning;
    const works = calendars.get(daysKey(null, checklist))!;
    const places = placesOf(checklist, planning.company, directory);
    if (checklist.tasks.length === 0) errors.push({ field: 'tasks', message: 'Add at least one task first.' });
    if (places.length === 0)
      errors.push({ field: 'expand_by', message: 'There is no place where this checklist could run.' });
    let days = 0;
    let tasksAtPlace = 0;
    const withChecklist = checklist.tasks.filter((task) => task.schedule_mode !== 'own').length;
    for (const [at, one] of [checklist, ...checklist.tasks.filter((task) => task.schedule_mode === 'own')].entries()) {
      const isAlone = at === 0 && checklist.tasks.every((task) => task.schedule_mode === 'own');
      if (isAlone) continue;
      const problem = one.repeat === 'rules' ? ruleProblem(String(one.rules ?? '')) : null;
      const field = at === 0 ? 'repeat' : 'tasks';
      if (problem !== null) {
        errors.push({ field: at === 0 ? 'rules' : 'tasks', message: problem });
        continue;
      }
      const schedule = scheduleOf(one, checklist.start_on, checklist.end_on);
      const from = checklist.start_on > today ? checklist.start_on : today;
      const until = (years: number) => DateTime.fromISO(from, { zone: 'utc' }).plus({ years }).toISODate()!;
      const year = occurrences(schedule, from, until(1), works).length;
      days += year;
      tasksAtPlace += at === 0 ? year * withChecklist : year;
      if (year === 0 && occurrences(schedule, checklist.start_on, until(LOOK_YEARS), works).length === 0)
        errors.push({ field, message: 'This schedule never occurs. Choose another one.' });
    }
    const tasks = tasksAtPlace * places.length;
    const frequency = `Too frequent: ${formatNumber(tasksAtPlace)} tasks a year for each of ${places.length} ${places.length === 1 ? 'place' : 'places'} are ${formatNumber(tasks)}.`;
    if (tasks > MAX_A_YEAR)
      errors.push({
        field: 'repeat',
        message: `${frequency} At most ${formatNumber(MAX_A_YEAR)} are possible: choose fewer.`,
      });
    else if (days > CONFIRMED_FROM && record.frequent !== true)
      errors.push({
        field: 'frequent',
        message: `${frequency} Choose fewer, or tick "So many tasks" under More to confirm.`,
      });
    const nobody = { last: new Map(), open: new Map(), lastOn: new Map() };
    for (const task of checklist.tasks)
      for (const place of places)
        if (doersOf(task, place, checklist.owner_id, today, directory, nobody).unassigned) {
          errors.push({ field: 'tasks', message: `No person found for task ${task.title} at ${place.name}.` });
          if (errors.length > 10) return errors;
        }
    return errors;
  },
};
