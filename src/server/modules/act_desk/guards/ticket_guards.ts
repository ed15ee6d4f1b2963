import type { Guard } from '../../../engine/modules.ts';
import { placeOf } from '../../../services/clock/client_day.ts';
import { dayOf } from '../../../services/clock/zones.ts';
import type { LiveSession } from '../../../access/sessions/session_store.ts';
import { reopening } from '../reopening.ts';
import { membersOf, nameOf } from '../ticket_people.ts';

const HOUR_MS = 3_600_000;
/** Filling in the form for longer than this would make the ticket look back-dated. */
const LATE_ENTRY_MS = 24 * HOUR_MS;

/**
 * The service is active, and the requester may see its category: by branch and role; for a QR code it must be open to
 * outsiders.
 */
export const serviceOpen: Guard = {
  elevated: true,
  async check({ unit, record }) {
    const [service] = await unit.elevated().query<{
      name: string;
      active: boolean;
      external: boolean | null;
      branches: number[] | null;
      roles: number[] | null;
    }>(
      `select s.name, s.active and c.active as active, s.external_requesters as external, c.visible_branches as branches, c.visible_roles as roles
       from {service} s join {service_category} c on c.id = s.service_category_id where s.id = $1`,
      [record.service_id ?? null],
    );
    if (!service) return [{ field: 'service_id', message: 'Choose the service that you need.' }];
    if (!service.active)
      return [{ field: 'service_id', message: `"${service.name}" is no longer offered. Choose another service.` }];
    const early = unit.now.getTime() - Date.parse(String(record.raised_at ?? unit.now.toISOString())) > LATE_ENTRY_MS;
    if (early && unit.session.rights.refuseAction('TKT_ASSIGN') !== null)
      return [{ field: 'raised_at', message: 'Only a lead may enter an earlier time.' }];
    if (record.channel === 'qr')
      return service.external === true
        ? []
        : [
            {
              field: 'service_id',
              message: 'This place accepts no tickets at present. Please speak to the people on site.',
            },
          ];
    if (record.requester_id === null || record.requester_id === undefined)
      return record.requester_name
        ? []
        : [{ field: 'requester_id', message: 'Enter the requester: choose the person, or enter a name.' }];
    const { rights, branchIds, roleIds } = unit.session as LiveSession;
    if (rights.isAdmin || unit.session.userId === 0) return [];
    const hidden =
      ((service.branches?.length ?? 0) > 0 && !service.branches!.some((one) => branchIds.includes(one))) ||
      ((service.roles?.length ?? 0) > 0 && !service.roles!.some((one) => roleIds.includes(one)));
    return hidden
      ? [{ field: 'service_id', message: `"${service.name}" is not offered to you. Choose another service.` }]
      : [];
  },
};

/** The assignee of a ticket must be in its group. */
export const inGroup: Guard = {
  elevated: true,
  async check({ unit, record }) {
    if (record.assignee_id === null || record.assignee_id === undefined)
      return [{ field: 'assignee_id', message: 'You are not a member of staff. Ask somebody in the group.' }];
    const all = unit.elevated();
    const members = await membersOf(all, record.group_role_id);
    if (members.includes(record.assignee_id as number)) return [];
    const group = (await nameOf(all, 'role', record.group_role_id)) ?? 'no group';
    return [
      {
        field: 'assignee_id',
        message: `${(await nameOf(all, 'employee', record.assignee_id)) ?? 'This person'} is not in the group "${group}". Choose somebody in it, or forward the ticket.`,
      },
    ];
  },
};

/**
 * The pause reason must be one of the desk's, with a remark if it requires one, and the day of resumption must be in
 * the future.
 */
export const mayPause: Guard = {
  elevated: true,
  async check({ unit, record }) {
    const [reason] = await unit
      .elevated()
      .query<{ name: string; applies_to: string; remark_needed: boolean | null }>(
        'select name, applies_to, remark_needed from {pause_category} where id = $1',
        [record.pause_category_id ?? null],
      );
    const wrong = [];
    if (reason && reason.applies_to === 'fms')
      wrong.push({
        field: 'pause_category_id',
        message: `"${reason.name}" is a reason for calls of lifts. Choose one of the ticket desk.`,
      });
    if (reason?.remark_needed === true && !record.pause_note)
      wrong.push({ field: 'pause_note', message: `"${reason.name}" needs a remark. Enter what you are waiting for.` });
    const today = dayOf(
      placeOf(unit.session).zones,
      { branchId: record.branch_id, entityId: unit.session.entityId },
      unit.now.getTime(),
    );
    if (typeof record.resume_on === 'string' && record.resume_on <= today)
      wrong.push({ field: 'resume_on', message: 'Choose a future day, or leave it empty.' });
    return wrong;
  },
};

/**
 * A ticket is forwarded to another person, group or service; returning it to the same person within an hour needs a
 * remark.
 */
export const mayForward: Guard = {
  elevated: true,
  async check({ unit, record, input }) {
    const all = unit.elevated();
    const { forward_to_id: to, forward_group_id: group, forward_service_id: service } = record;
    if (!to && !group && !service)
      return [{ field: 'forward_to_id', message: 'Choose a person, a group or another service.' }];
    if (to && to === record.assignee_id && !group && !service)
      return [{ field: 'forward_to_id', message: 'The ticket is with this person. Choose somebody else.' }];
    if (to) {
      const [desk] = service
        ? await all.query<{ group: number | null }>(
            'select c.group_role_id as "group" from {service} s join {service_category} c on c.id = s.service_category_id where s.id = $1',
            [service],
          )
        : [];
      const members = await membersOf(all, group ?? desk?.group ?? record.group_role_id);
      if (!members.includes(to as number))
        return [
          {
            field: 'forward_to_id',
            message: `${(await nameOf(all, 'employee', to)) ?? 'This person'} is not in that group. Choose the group too, or somebody else.`,
          },
        ];
      const [back] = await all.query(
        `select 1 from {ticket_event} where ticket_id = $1 and kind = 'forwarded' and from_value = (select name from {employee} where id = $2) and at > $3::timestamptz limit 1`,
        [record.id, to, new Date(unit.now.getTime() - HOUR_MS).toISOString()],
      );
      const words = typeof input.reason === 'string' ? input.reason.trim().split(/\s+/).length : 0;
      if (back && words < 3)
        return [
          {
            field: 'reason',
            message: 'This person forwarded it within the last hour. Explain why it is returned.',
          },
        ];
    }
    return [];
  },
};

/** A ticket is solved only when its sub-tickets are. */
export const noOpenParts: Guard = {
  elevated: true,
  async check({ unit, record }) {
    const open = await unit
      .elevated()
      .query<{ ticket_no: string }>(
        `select ticket_no from {ticket} where parent_id = $1 and active and status in ('new', 'assigned', 'in_progress', 'paused') order by id limit 5`,
        [record.id],
      );
    return open.length === 0
      ? []
      : [
          {
            field: '',
            message: `These sub-tickets are open: ${open.map((one) => one.ticket_no).join(', ')}. Solve them first.`,
          },
        ];
  },
};

/**
 * A ticket may be reopened within a number of working days after its solution; later a new one is linked to it (S8).
 */
export const mayReopen: Guard = {
  elevated: true,
  async check({ unit, before }) {
    const { days, last, isOpen } = await reopening(unit, before ?? {});
    return isOpen
      ? []
      : [
          {
            field: '',
            message: `It could be reopened for ${days} working days, until ${last.split('-').reverse().join('-')}. Raise a new ticket about it.`,
          },
        ];
  },
};

/** The holder merges tickets of one requester; only a lead merges those of different requesters. */
export const mayMerge: Guard = {
  elevated: true,
  async check({ unit, record }) {
    const all = unit.elevated();
    const id = Number(record.merged_into_id);
    if (id === record.id) return [{ field: 'merged_into_id', message: 'Choose a different ticket.' }];
    const target = await all.read('ticket', id);
    if (!['new', 'assigned', 'in_progress', 'paused'].includes(String(target.status)))
      return [{ field: 'merged_into_id', message: `${String(target.ticket_no)} is not open. Choose an open ticket.` }];
    if (target.requester_id === record.requester_id || unit.session.rights.refuseAction('TKT_MERGE') === null)
      return [];
    return [
      {
        field: 'merged_into_id',
        message: `${String(target.ticket_no)} belongs to somebody else. Only a lead can merge tickets of different people.`,
      },
    ];
  },
};
