import { DateTime } from 'luxon';
import { formatDate } from '../../../../descriptor/format.ts';
import type { Action } from '../../../engine/modules.ts';
import { planChecklist, planningOf, readChecklists } from '../generate.ts';

const SHOWN = 40;

/** Lists the due days of a checklist's tasks in the next twelve months, with the holidays entered so far. */
export const nextYear: Action = {
  async run({ unit, record }) {
    const [checklist] = await readChecklists(unit, [record!.id]);
    if (!checklist) return {};
    const planning = await planningOf(unit, [checklist]);
    const to = DateTime.fromISO(planning.today, { zone: 'utc' }).plus({ years: 1 }).toISODate()!;
    const planned = planChecklist(checklist, { window: { from: planning.today, to } }, planning);
    const days = [...new Set(planned.flatMap(({ tasks }) => tasks.map((task) => task.due_on)))].toSorted();
    const more = days.length > SHOWN ? ` and ${days.length - SHOWN} more` : '';
    return {
      done:
        days.length === 0
          ? 'Nothing is due in the next 12 months.'
          : `${planned.length} checklists in the next 12 months, due on ${days.slice(0, SHOWN).map(formatDate).join(', ')}${more}.`,
    };
  },
};
