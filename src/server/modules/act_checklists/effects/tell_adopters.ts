import type { Effect } from '../../../engine/modules.ts';
import { accountByMember } from '../task_people.ts';

/** The owners of the checklists that were made of a template learn that it is retired, in every company. */
export const tellAdopters: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const adoptions = await unit.query<{ id: number; owner_id: number; company: number; title: string }>(
      `select a.id, m.owner_id, a.entity_id as company, m.title from {chk_adoption} a join {master_checklist} m on m.id = a.mstr_chk_id and m.active and m.state <> 'retired'
       where m.template_code = $1 and a.active and a.state = 'adopted' order by a.id`,
      [record.code],
    );
    const accounts = await accountByMember(
      unit,
      adoptions.map(({ owner_id: owner }) => owner),
    );
    await unit.notifyMany(
      adoptions.flatMap(({ id, owner_id: owner, company, title }) => {
        const to = accounts.get(owner);
        if (to === undefined || to === unit.session.userId) return [];
        return {
          event: 'template.retired',
          to: [to],
          entityId: company,
          link: `/adopted_checklists/view/${id}`,
          values: { checklist: title, template: String(record.title) },
        };
      }),
    );
  },
};
