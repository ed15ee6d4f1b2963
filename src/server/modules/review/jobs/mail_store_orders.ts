import { formatDate } from '../../../../descriptor/format.ts';
import type { Job } from '../../../engine/modules.ts';

const DASHBOARD = 'jewellery_dashboard_vbj';
const LISTS = [
  ['To order', 'reorder'],
  ['From other stores', 'transfers'],
] as const;

interface Reader extends Record<string, unknown> {
  id: number;
}

/** Each morning, mails the managers of stores what is to be ordered and what other stores can give, as they see it (performance.md §6). */
export const mailStoreOrders: Job = {
  elevated: true,
  async run({ company, due, services, each }) {
    if (company === null) return;
    let sent = 0;
    await each<Reader>(
      (unit, after) =>
        unit.query<Reader>(
          `select distinct u.id from {store} s join {users} u on u.employee_id = s.manager_id and u.active and u.status = 'active'
           where s.entity_id = $1 and s.active and u.id > $2 order by u.id limit 20`,
          [company, after ?? 0],
        ),
      async (person, readers) => {
        for (const { id } of readers) {
          const reader = await person.as(id);
          if (reader === null) continue;
          const parts: string[] = [];
          for (const [title, tile] of LISTS) {
            const found = await services.figure(reader.session, { dashboard: DASHBOARD, tile, filters: '' });
            if (found && found.value !== 'None' && found.value !== '0') parts.push(`${title}:\n${found.value}`);
          }
          if (parts.length === 0) continue;
          await person.elevated().notify({
            event: 'stores.orders',
            to: [id],
            entityId: company,
            link: '/jewellery_dashboard_vbj',
            values: { day: formatDate(due.slice(0, 10)), lists: parts.join('\n\n') },
          });
          sent++;
        }
        return readers.at(-1)!.id;
      },
    );
    return `${sent} ${sent === 1 ? 'list' : 'lists'} sent.`;
  },
};
