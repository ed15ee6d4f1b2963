import { DateTime } from 'luxon';
import { formatDate } from '../../../../descriptor/format.ts';
import { occurrences } from '../../../../domain/act/recurrence.ts';
import type { HolidayRule } from '../../../../domain/act/task_dates.ts';
import { taskDates } from '../../../../domain/act/task_dates.ts';
import { worksOn } from '../../../access/people/working_calendar.ts';
import type { Fill } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { scheduleOf } from '../checklist_schedule.ts';
import { templateTasks } from '../template_tasks.ts';

type Row = Record<string, unknown>;
const SHOWN = 60;

/**
 * The due days of the tasks that are to be adopted, for twelve months from the start: by the calendar of the chosen branch
 * or registration, or that of the company if they are of several branches. The first line says which.
 */
export const adoptionPreview: Fill = {
  async run({ unit, record }) {
    if (typeof record.template_id !== 'number' || !record.start_on) return { preview: null };
    const template = await unit.read('chk_template', record.template_id);
    const tasks = await templateTasks(unit, template.id);
    const from = String(record.start_on);
    const to = DateTime.fromISO(from, { zone: 'utc' }).plus({ years: 1 }).toISODate()!;
    const { tenant, entityId } = unit.session;
    const branches = await chosenBranches(unit, record);
    const [branch] = branches.length === 1 ? branches : [];
    const works = await worksOn(tenant, { entityId, branchId: branch?.id ?? null }, from, to);
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
          : `By the calendar of ${branch?.name ?? 'the company'}${branches.length > 1 ? '; each branch follows its own' : ''}:\n${sorted
              .slice(0, SHOWN)
              .map(({ day, text }) => `${formatDate(day)}  ${text}`)
              .join('\n')}${more}`,
    };
  },
};

/** The places whose calendars count: the chosen branches, or those of the chosen registrations; without id: the company. */
async function chosenBranches(unit: Unit, record: Row): Promise<{ id: number | null; name: string }[]> {
  const company = unit.session.entityId;
  const ids = (name: string) => (record[name] as number[] | null | undefined) ?? [];
  if (record.expand_by === 'unit')
    return unit.query<{ id: number | null; name: string }>(
      `select distinct b.id, coalesce(b.name, 'the company') as name from {compliance_unit} u left join {branch} b on b.id = u.branch_ids[1]
       where u.id = any($1::bigint[]) and u.entity_id = $2 order by b.id`,
      [ids('unit_ids'), company],
    );
  if (record.expand_by !== 'branch' && record.expand_by !== 'employee') return [];
  return unit.query<{ id: number; name: string }>(
    'select id, name from {branch} where id = any($1::bigint[]) and entity_id = $2 order by id',
    [ids('branch_ids'), company],
  );
}
