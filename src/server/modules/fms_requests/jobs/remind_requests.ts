import type { Job } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { quoted } from '../../../db/names.ts';

/** Hours until the approvers of a request are reminded, then again every day (fms_stores.md 6). */
const REMIND_HOURS: Readonly<Record<string, number>> = { P1: 2, P2: 8, P3: 24 };
const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** The approval deadline of a request that the store may supply before approval. */
const EMERGENCY_HOURS = 24;

const RIGHT_OF: Readonly<Record<string, string>> = {
  submitted: 'MR_APPROVE_COMMERCIAL',
  commercially_approved: 'MR_APPROVE_TECHNICAL',
};

interface Waiting {
  id: number;
  no: string;
  state: string;
  priority: string;
  emergency: boolean;
  since: string;
  asked: number[] | null;
  raiser: number | null;
  branch_id: number | null;
}

/** Whether a reminder is due in this hourly run: after so many whole hours, then every day. */
export function isReminderHour(since: number, now: number, after: number): boolean {
  const hours = Math.floor((now - since) / HOUR_MS) - after;
  return hours >= 0 && hours % DAY_HOURS === 0;
}

/**
 * Accounts that may approve a request: the approvers asked, otherwise everybody in the company with the right, except
 * the requester.
 */
async function whoDecides(
  unit: Unit,
  company: number | null,
  right: string,
  asked: number[] | null,
): Promise<number[]> {
  if (asked !== null && asked.length > 0) return asked;
  const rows = await unit.query<{ id: number }>(
    `select distinct u.id from {users} u join {users.companies} c on c.parent_id = u.id join {role} r on r.id = any(c.role_ids)
       join {role_action} a on a.role_id = r.id and a.action_code = $2 where u.active and u.status = 'active' and c.entity_id = $1`,
    [company, right],
  );
  return rows.map(({ id }) => Number(id));
}

/** Every hour, reminds the approvers of requests that have waited longer than their priority allows. */
export const remindRequests: Job = {
  async run({ company, each }) {
    let reminded = 0;
    await each(
      (unit, after) =>
        unit.query<Waiting>(
          `select m.id, m.mr_no as no, m.state, m.priority, coalesce(t.issue_before_approval, false) and exists (
               select 1 from {mr_issue} i where i.mr_id = m.id and i.state <> 'draft') as emergency,
             coalesce((select max(l.at) from ${quoted(unit.session.tenant.schema)}.transition_log l
               where l.record_type = 'mr' and l.record_id = m.id and l.to_state = m.state), m.updated_at)::text as since,
             (select r.waiting_for_ids from {approval_request} r where r.transaction_type = 'mr' and r.record_id = m.id and r.state = 'waiting'
               order by r.id desc limit 1) as asked,
             m.created_by as raiser, m.branch_id
           from {mr} m join {mr_type} t on t.id = m.mr_type_id
           where m.entity_id = $1 and m.active and m.state in ('submitted', 'commercially_approved') and m.id > $2 order by m.id limit 200`,
          [company, after ?? 0],
        ),
      async (unit, requests) => {
        const now = unit.now.getTime();
        for (const { id, no, state, priority, emergency, since, asked, raiser, branch_id: branch } of requests) {
          const hours = emergency
            ? Math.min(EMERGENCY_HOURS, REMIND_HOURS[priority] ?? 24)
            : (REMIND_HOURS[priority] ?? 24);
          if (!isReminderHour(Date.parse(since), now, hours)) continue;
          const to = (await whoDecides(unit, company, RIGHT_OF[state]!, asked)).filter((one) => one !== raiser);
          if (emergency && now - Date.parse(since) >= EMERGENCY_HOURS * HOUR_MS) {
            const [head] = await unit.query<{ id: number }>(
              `select u.id from {branch} b join {users} u on u.employee_id = b.head_id and u.active where b.id = $1`,
              [branch],
            );
            if (head) to.push(Number(head.id));
          }
          if (to.length === 0) continue;
          await unit.notify({
            event: 'stores.request_waits',
            to: [...new Set(to)],
            entityId: company,
            link: `/mr_landing/view?id=${id}`,
            record: { type: 'mr', id },
            values: {
              request: no,
              priority,
              hours: String(Math.floor((now - Date.parse(since)) / HOUR_MS)),
              step: state === 'submitted' ? 'commercial approval' : 'technical approval',
            },
          });
          reminded++;
        }
        return requests.at(-1)!.id;
      },
    );
    return `Requests with a reminder: ${reminded}.`;
  },
};
