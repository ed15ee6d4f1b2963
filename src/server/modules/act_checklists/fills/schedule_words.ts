import { DateTime } from 'luxon';
import { formatDate } from '../../../../descriptor/format.ts';
import { occurrences, ruleProblem, scheduleInWords } from '../../../../domain/act/recurrence.ts';
import { worksOn } from '../../../access/people/working_calendar.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import type { Fill } from '../../../engine/modules.ts';
import { scheduleOf } from '../checklist_schedule.ts';

const SHOWN = 6;

/** Says a schedule in words, and its next six days. */
export const scheduleWords: Fill = {
  async run({ unit, record }) {
    if (!record.start_on || !record.repeat) return { schedule_words: null, next_dates: null };
    if (record.repeat === 'rules') {
      const problem = ruleProblem(String(record.rules ?? ''));
      if (problem !== null) return { schedule_words: problem.slice(0, 250), next_dates: null };
    }
    const schedule = scheduleOf(record, record.start_on, record.end_on);
    const { tenant, entityId } = unit.session;
    const today = dayIn(placeOf(unit.session).timezone);
    const from = schedule.start_on > today ? schedule.start_on : today;
    const last = DateTime.fromISO(from, { zone: 'utc' }).plus({ years: 6 }).toISODate()!;
    const works = await worksOn(tenant, { entityId, branchId: null }, from, last);
    const until = DateTime.fromISO(from, { zone: 'utc' })
      .plus(schedule.repeat === 'yearly' || schedule.repeat === 'rules' ? { years: 6 } : { months: 40 })
      .toISODate()!;
    const days = occurrences(schedule, from, until, works).slice(0, SHOWN);
    return {
      schedule_words: scheduleInWords(schedule).slice(0, 250),
      next_dates:
        days.length === 0 ? 'This schedule never occurs.' : days.map(({ nominal }) => formatDate(nominal)).join(', '),
    };
  },
};
