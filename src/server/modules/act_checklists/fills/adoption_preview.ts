import { DateTime } from 'luxon';
import { formatDate } from '../../../../descriptor/format.ts';
import { occurrences } from '../../../../domain/act/recurrence.ts';
import type { HolidayRule } from '../../../../domain/act/task_dates.ts';
import { taskDates } from '../../../../domain/act/task_dates.ts';
import { worksOn } from '../../../access/people/working_calendar.ts';
import type { Fill } from '../../../engine/modules.ts';
import { scheduleOf } from '../checklist_schedule.ts';
import { templateTasks } from '../template_tasks.ts';

type Row = Record<string, unknown>;
const SHOWN = 60;

/** The due days of the tasks that are to be adopted, for twelve months from the start, by the company's holidays. */
export const adoptionPreview: Fill = {
  async run({ unit, record }) {
    if (typeof record.template_id !== 'number' || !record.start_on) return { preview: null };
    const template = await unit.read('chk_template', record.template_id);
    const tasks = await templateTasks(unit, template.id);
    const from = String(record.start_on);
    const to = DateTime.fromISO(from, { zone: 'utc' }).plus({ years: 1 }).toISODate()!;
    const { tenant, entityId } = unit.session;
    const works = await worksOn(tenant, { entityId, branchId: null }, from, to);
    const lines: { day: string; text: string }[] = [];
    for (const row of (record.tasks as Row[] | null) ?? []) {
      const task = tasks[String(row.task_code)];
      if (row.take === false || !task) continue;
      const own = task.schedule_mode === 'own';
      for (const { nominal } of occurrences(scheduleOf(own ? task : template, from, record.end_on), from, to, works)) {
        const day = own
          ? nominal
          : DateTime.fromISO(nominal, { zone: 'utc' })
              .plus({ days: Number(task.offset_days ?? 0) })
              .toISODate()!;
        const dates = taskDates(
          day,
          {
            statutory: template.statutory === true,
            holiday_rule: (task.holiday_rule as HolidayRule | null) ?? 'next',
            advance_days: 0,
            lead_days: 0,
          },
          works,
        );
        if (dates) lines.push({ day: dates.due_on, text: String(row.title) });
      }
    }
    const sorted = lines.toSorted((a, b) => a.day.localeCompare(b.day));
    const more = sorted.length > SHOWN ? `\n… and ${sorted.length - SHOWN} more` : '';
    return {
      preview:
        sorted.length === 0
          ? 'Nothing is due in the 12 months from the start.'
          : `${sorted
              .slice(0, SHOWN)
              .map(({ day, text }) => `${formatDate(day)}  ${text}`)
              .join('\n')}${more}`,
    };
  },
};
