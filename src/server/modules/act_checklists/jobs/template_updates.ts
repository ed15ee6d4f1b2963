import type { Job } from '../../../engine/modules.ts';
import type { Notice } from '../../../services/notifications/notify.ts';
import { accountByMember } from '../task_people.ts';
import { applyMandatoryDates } from '../template_tasks.ts';

const PER_STEP = 200;

/**
 * Notifies owners of adopted checklists once that their template has a new version; nothing changes until somebody
 * accepts it, except mandatory dates, which apply at once.
 */
export const templateUpdates: Job = {
  elevated: true,
  async run({ company, each }) {
    let notified = 0;
    await each(
      (unit, after) =>
        unit.query<{ id: number; mstr_chk_id: number; owner_id: number; title: string; version_no: number }>(
          `select a.id, a.mstr_chk_id, a.owner_id, m.title, t.version_no from {chk_adoption} a join {master_checklist} m on m.id = a.mstr_chk_id and m.active and m.state <> 'retired'
           join {chk_template} t on t.code = m.template_code and t.state = 'published' and t.is_current
           where a.entity_id = $1 and a.active and a.state = 'adopted' and t.version_no > coalesce(m.template_version, 0) and coalesce(a.notified_version, 0) < t.version_no and a.id > $2
           order by a.id limit ${PER_STEP}`,
          [company, after ?? 0],
        ),
      async (person, batch) => {
        const unit = person.elevated();
        const accounts = await accountByMember(
          unit,
          batch.map(({ owner_id: owner }) => owner),
        );
        const notices: Notice[] = [];
        for (const one of batch) {
          await unit.update('chk_adoption', one.id, { notified_version: one.version_no });
          const tasks = await applyMandatoryDates(unit, one.mstr_chk_id);
          notified++;
          const to = accounts.get(one.owner_id);
          if (to === undefined) continue;
          notices.push({
            event: tasks.length > 0 ? 'template.applied' : 'template.updated',
            to: [to],
            entityId: company,
            link: `/adopted_checklists/view/${one.id}`,
            values: { checklist: one.title, version: String(one.version_no), tasks: tasks.join(', ') },
          });
        }
        await unit.notifyMany(notices);
        return batch.at(-1)!.id;
      },
    );
    return `Owners notified of a new version: ${notified}.`;
  },
};
