import type { Effect } from '../../../engine/modules.ts';
import { accountsOf } from '../task_people.ts';

/** The owners of the checklists that were made of a template learn that it is retired, in every company. */
export const tellAdopters: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const adoptions = await unit.query<{ id: number; owner_id: number; company: number; title: string }>(
      `select a.id, m.owner_id, a.entity_id as company, m.title from {chk_adoption} a join {master_checklist} m on m.id = a.mstr_chk_id and m.active and m.state <> 'retired'
       where m.template_code = $1 and a.active and a.state = 'adopted' order by a.id`,
      [record.code],
    );
    for (const { id, owner_id: owner, company, title } of adoptions) {
      const to = (await accountsOf(unit, [owner])).filter((one) => one !== unit.session.userId);
      if (to.length === 0) continue;
      await unit.notify({
        event: 'template.retired',
        to,
        entityId: company,
        link: `/adopted_checklists/view/${id}`,
        values: { checklist: title, template: String(record.title) },
      });
    }
  },
};
