import { leastOpen, nextInTurn } from '../../../../domain/act_desk/assignment.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { startCase } from '../ticket_case.ts';
import { membersOf } from '../ticket_people.ts';
import { writeEvent } from '../write_event.ts';

type Row = Readonly<Record<string, unknown>>;

interface Service {
  needs_approval: boolean | null;
  assign_mode: 'queue' | 'round_robin' | 'least_open' | 'fixed' | 'branch_owner';
  assignee_id: number | null;
  group_role_id: number | null;
}

/** The group responsible for a service, and how it assigns tickets. */
export async function deskOf(unit: Unit, service: unknown): Promise<Service | null> {
  const [row] = await unit.query<Service>(
    `select s.needs_approval, s.assign_mode, s.assignee_id, c.group_role_id from {service} s join {service_category} c on c.id = s.service_category_id where s.id = $1`,
    [service ?? null],
  );
  return row ?? null;
}

/** The assignee of a ticket by its service's rule; null = it waits in the group's queue. */
export async function assigneeByRule(unit: Unit, ticket: Row, service: Service): Promise<number | null> {
  const { assign_mode: mode, assignee_id: fixed, group_role_id: group } = service;
  if (mode === 'queue') return null;
  if (mode === 'fixed') return fixed;
  if (mode === 'branch_owner') {
    const [branch] = await unit.query<{ head_id: number | null }>('select head_id from {branch} where id = $1', [
      ticket.branch_id ?? null,
    ]);
    return branch?.head_id ?? null;
  }
  const members = await membersOf(unit, group, { here: true });
  if (mode === 'round_robin') {
    // Locked, so that two tickets at once do not give the same person two turns.
    const { last_turn_id: last } = await unit.read('service', Number(ticket.service_id), { lock: true });
    const next = nextInTurn(members, (last as number | null) ?? null);
    if (next !== null) await unit.update('service', Number(ticket.service_id), { last_turn_id: next });
    return next;
  }
  const counts = await unit.query<{ id: number; open: number; last: string | null }>(
    `select m.id, (select count(*)::int from {ticket} t where t.assignee_id = m.id and t.status in ('assigned', 'in_progress', 'paused')) as open,
       (select max(e.at) from {ticket_event} e where e.assignee_id = m.id and e.kind = 'assigned') as last
     from unnest($1::bigint[]) m(id)`,
    [members],
  );
  return leastOpen(
    counts.map(({ id, open, last }) => ({ id, open, lastAt: last === null ? null : new Date(last).getTime() })),
  );
}

/** Processes a new ticket: its group, the first line of its log, and the assignee by the service's rule. */
export const raised: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const all = unit.elevated();
    const service = await deskOf(all, record.service_id);
    const ticket = await all.update('ticket', record.id, {
      group_role_id: service?.group_role_id ?? null,
      similar: null,
    });
    const isPast = unit.importedInto === 'closed';
    await writeEvent(all, ticket, 'created', {
      to: record.subject as string,
      ...(isPast && { at: new Date(record.raised_at as string) }),
    });
    // It was solved before: nobody is assigned or asked.
    if (isPast) return;
    if (record.channel === 'qr' && record.requester_mail)
      await all.post({
        address: record.requester_mail as string,
        subject: `${String(ticket.ticket_no)}: ${String(record.subject)}`,
        text: `Thank you for your message. You can track your ticket, reply and rate our service here:\n\n${await all.publicLink('ticket', record.id)}`,
        prints: [],
        purpose: 'notification',
      });
    // With the requester's rights, so that nobody approves their own ticket.
    if (service?.needs_approval === true) await unit.takeAuto('ticket', record.id, 'ask_approval');
    else {
      await assignByRule(all, ticket);
      await startCase(all, record.id);
    }
  },
};

async function assignByRule(unit: Unit, ticket: Row & { id: number }): Promise<void> {
  const service = await deskOf(unit, ticket.service_id);
  const assignee = service && (await assigneeByRule(unit, ticket, service));
  if (assignee !== null) await unit.takeAuto('ticket', ticket.id, 'assign_by_rule', { assignee_id: assignee });
}

/** Assigns an approved ticket by its service's rule, as others are assigned when they are raised. */
export const approved: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const all = unit.elevated();
    await writeEvent(all, record, 'approved');
    await assignByRule(all, record);
    await startCase(all, record.id);
  },
};
