import type { Unit } from '../../engine/records/unit.ts';

type Row = Readonly<Record<string, unknown>>;

/** The possible recipients of an escalation. */
export type RescueRole = 'technician' | 'leader' | 'supervisor' | 'branch_manager' | 'head';

/** Accounts of employees who may sign in. */
export async function accountsOf(unit: Unit, employees: readonly unknown[]): Promise<number[]> {
  const ids = employees.filter((one): one is number => typeof one === 'number');
  if (ids.length === 0) return [];
  const rows = await unit.query<{ user_id: number }>(
    `select distinct e.user_id from {employee} e join {users} u on u.id = e.user_id where e.id = any($1::bigint[]) and u.active and u.status = 'active'`,
    [ids],
  );
  return rows.map((row) => row.user_id);
}

/**
 * The head of a branch, and the head of service: the head of the parent branch, otherwise the branch head's manager.
 */
export async function headsOf(
  unit: Unit,
  branchId: unknown,
): Promise<{ branch_manager: number | null; head: number | null }> {
  const [row] = await unit.query<{ manager: number | null; head: number | null }>(
    `select b.head_id as manager, coalesce(p.head_id, m.reporting_to_id) as head
     from {branch} b left join {branch} p on p.id = b.parent_branch_id left join {employee} m on m.id = b.head_id where b.id = $1`,
    [branchId ?? null],
  );
  return { branch_manager: row?.manager ?? null, head: row?.head ?? null };
}

/**
 * The accounts of an escalation's recipients for one ticket; a missing recipient is replaced by the next higher one.
 */
export async function peopleAt(unit: Unit, ticket: Row, to: RescueRole): Promise<number[]> {
  const { branch_manager: manager, head } = await headsOf(unit, ticket.branch_id);
  const ladder: [RescueRole, unknown][] = [
    ['technician', ticket.technician_id],
    ['leader', ticket.leader_id],
    ['supervisor', ticket.supervisor_id],
    ['branch_manager', manager],
    ['head', head],
  ];
  const from = ladder.findIndex(([name]) => name === to);
  for (const [, person] of ladder.slice(Math.max(0, from))) {
    const accounts = await accountsOf(unit, [person]);
    if (accounts.length > 0) return accounts;
  }
  return [];
}

/** The placeholders of notices about a ticket. */
export async function wordsOf(unit: Unit, ticket: Row): Promise<Record<string, string>> {
  const [row] = await unit.query<Record<string, string | null>>(
    `select l.lift_no, l.position_name, b.name as building, b.address, c.name as category, e.name as technician
     from {fms_ticket} t join {lift} l on l.id = t.lift_id left join {building} b on b.id = t.building_id
     left join {ticket_category_mstr} c on c.id = t.category_id left join {employee} e on e.id = t.technician_id where t.id = $1`,
    [ticket.id ?? null],
  );
  return {
    number: String(ticket.ticket_no ?? ''),
    lift: [row?.lift_no, row?.position_name].filter(Boolean).join(' · '),
    building: row?.building ?? '',
    address: row?.address ?? '',
    category: row?.category ?? 'Call',
    technician: row?.technician ?? '',
    priority: String(ticket.priority ?? '').toUpperCase(),
    description: String(ticket.description ?? ''),
  };
}

/** Sends a notice about a ticket, except to the acting person. */
export async function notifyOfTicket(
  unit: Unit,
  ticket: Row & { id: number },
  event: string,
  to: readonly number[],
  values: Record<string, string> = {},
  channels?: { inApp: boolean; push: boolean; mail: boolean },
): Promise<void> {
  const people = [...new Set(to)].filter((one) => one !== unit.session.userId);
  if (people.length === 0) return;
  await unit.notify({
    event,
    to: people,
    entityId: unit.session.entityId,
    link: `/fms/edit_ticket/${ticket.id}`,
    record: { type: 'fms_ticket', id: ticket.id },
    values: { ...(await wordsOf(unit, ticket)), ...values },
    ...(channels && { channels }),
  });
}
