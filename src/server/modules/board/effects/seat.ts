import { formatDate } from '../../../../descriptor/format.ts';
import { addDays } from '../../../../domain/dashboard_span.ts';
import type { Call, Effect } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import { setDesignationHolders } from '../designation_holders.ts';
import { openDisclosures } from '../disclosures.ts';
import { refreshFindings } from '../findings.ts';
import { accountsWith } from '../accounts.ts';
import { setMembers } from '../membership.ts';
import { notifyOfFindings } from '../notify_of_findings.ts';
import { countVacantDays } from '../vacant_days.ts';
import { sendWelcomePack } from '../welcome_pack.ts';

/** The term's transition is already in the history, so the seat's change is not recorded again. */
async function setHolder(unit: Unit, seatId: number, holder: unknown, vacantSince: string | null): Promise<void> {
  await unit.query('update {board_position} set holder_id = $2, vacant_since = $3 where id = $1', [
    seatId,
    holder,
    vacantSince,
  ]);
  await countVacantDays(unit, 'id = $2', [dayIn(placeOf(unit.session).timezone), seatId]);
}

async function seatOf({ record }: Call, unit: Unit) {
  const [seat] = await unit.query<{ id: number; unit_id: number; designation_id: number; entity_id: number }>(
    'select id, unit_id, designation_id, entity_id from {board_position} where id = $1',
    [record.seat_id],
  );
  return seat!;
}

/** The person's open actions from meetings of the unit as text, for the hand-over. */
async function actionsToHandOver(unit: Unit, { record }: Call): Promise<string> {
  const rows = await unit.query<{ what: string; due_on: string }>(
    `select a.what, a.due_on::text from {board_meeting.actions} a join {board_meeting} g on g.id = a.parent_id
     join {board_member} m on m.id = $2 and m.employee_id = a.owner_id
     where g.unit_id = $1 and g.active and a.state = 'open' order by a.due_on, a.id`,
    [record.unit_id, record.board_member_id],
  );
  const lines = rows.map(({ what, due_on: due }) => `- ${what}, due on ${formatDate(due)}`);
  return lines.length === 0 ? '' : `Open actions to hand over:\n${lines.join('\n')}`;
}

/** Notifies the unit's secretary who joined or left. */
async function notifySecretary(unit: Unit, { record }: Call, words: string, text = ''): Promise<void> {
  const [to] = await unit.query<{ user_id: number | null; name: string; unit: string }>(
    `select e.user_id, m.name, u.name as unit from {board_unit} u left join {employee} e on e.id = u.secretary_id
     join {board_member} m on m.id = $2 where u.id = $1`,
    [record.unit_id, record.board_member_id],
  );
  if (!to || to.user_id === null) return;
  await unit.notify({
    event: 'board',
    to: [to.user_id],
    values: { subject: `${to.name} ${words} ${to.unit}`, text },
    link: `/board_tenures/view/${record.id}`,
  });
}

/** Notifies the person whose term has ended that the access to the unit has ended too. */
async function notifyMember(unit: Unit, { record }: Call, ended: string): Promise<void> {
  const [to] = await unit.query<{ user_id: number | null; unit: string }>(
    `select coalesce(m.user_id, e.user_id) as user_id, u.name as unit from {board_unit} u join {board_member} m on m.id = $2
     left join {employee} e on e.id = m.employee_id where u.id = $1`,
    [record.unit_id, record.board_member_id],
  );
  if (!to || to.user_id === null) return;
  await unit.notify({
    event: 'board',
    to: [to.user_id],
    values: {
      subject: `Your term in ${to.unit} ended on ${formatDate(ended)}`,
      text: 'Its dashboard, its meetings and their papers are no longer open to you.',
    },
  });
}

/** The flag of accounts that goes with a designation. */
const FLAGS = { chairman: 'chairman_flag', ceo: 'ceo_flag', secretary: 'secretary_flag' } as const;

/** Asks the administrators to set or remove the flag that goes with a seat: accounts are changed by them alone. */
async function askForFlag(unit: Unit, { record }: Call, isTaken: boolean): Promise<void> {
  const [found] = await unit.query<{ flag: keyof typeof FLAGS; name: string; user_id: number | null }>(
    `select d.access_flag as flag, m.name, coalesce(m.user_id, e.user_id) as user_id
     from {board_position} s join {board_designation} d on d.id = s.designation_id join {board_member} m on m.id = $2
     left join {employee} e on e.id = m.employee_id where s.id = $1 and d.access_flag in ('chairman', 'ceo', 'secretary')`,
    [record.seat_id, record.board_member_id],
  );
  if (!found || found.user_id === null) return;
  const [account] = await unit.query<{ has: boolean }>(
    `select ${FLAGS[found.flag]} as has from {users} where id = $1`,
    [found.user_id],
  );
  if (!account || account.has === isTaken) return;
  const admins = await unit.query<{ id: number }>(
    `select id from {users} where is_admin and active and status = 'active'`,
  );
  const title = found.flag === 'ceo' ? 'CEO' : found.flag;
  await unit.notify({
    event: 'board',
    to: admins.map(({ id }) => Number(id)),
    values: {
      subject: isTaken
        ? `${found.name} needs the dashboards of the ${title}`
        : `${found.name} no longer needs the dashboards of the ${title}`,
      text: isTaken ? 'Tick the box in the account.' : 'Clear the box in the account.',
    },
    link: `/users/edit/${found.user_id}`,
  });
}

/** The screen of a unit's members. */
const OF_MEMBERS = 'SCN_COMMITTEE_DASHBOARD';

/** Asks the administrators for a role with the unit's dashboard, if no role of the member in the unit's company has it. */
async function askForRole(unit: Unit, { record }: Call, company: number): Promise<void> {
  const [lacking] = await unit.query<{ user_id: number; name: string; unit: string }>(
    `select a.id as user_id, m.name, u.name as unit from {board_member} m left join {employee} e on e.id = m.employee_id
     join {users} a on a.id = coalesce(m.user_id, e.user_id) join {board_unit} u on u.id = $2
     where m.id = $1 and a.active and not a.is_admin and not exists (
       select 1 from {users.companies} c join {role} r on r.id = any(c.role_ids) and r.active
       join {screen_rights} s on s.role_id = r.id and s.landing and s.screen_code = '${OF_MEMBERS}'
       where c.parent_id = a.id and c.entity_id = $3)`,
    [record.board_member_id, record.unit_id, company],
  );
  if (!lacking) return;
  const admins = await unit.query<{ id: number }>(
    `select id from {users} where is_admin and active and status = 'active'`,
  );
  await unit.notify({
    event: 'board',
    to: admins.map(({ id }) => Number(id)),
    values: {
      subject: `${lacking.name} needs a role with the dashboard of ${lacking.unit}`,
      text: 'Add a role such as Committee member to the account. It shows the units in which its holder sits.',
    },
    link: `/users/edit/${lacking.user_id}`,
  });
}

/**
 * When a term begins, the seat is filled, the person joins the unit, gets its welcome pack and owes the year's declarations, and the rules are
 * checked again.
 */
export const seatTaken: Effect = {
  elevated: true,
  async apply(call) {
    const unit = call.unit.elevated();
    const seat = await seatOf(call, unit);
    const { record } = call;
    await setHolder(unit, seat.id, record.board_member_id, null);
    await setDesignationHolders(unit, seat.designation_id);
    await setMembers(unit, seat.unit_id);
    const day = dayOfRecord(unit, record);
    const { fyStartMonth } = placeOf(unit.session);
    await openDisclosures(unit, seat.entity_id, day, fyStartMonth, Number(record.board_member_id));
    await refreshFindings(unit, seat.entity_id, day);
    await notifySecretary(unit, call, 'has joined');
    await sendWelcomePack(unit, seat.unit_id, Number(record.board_member_id), day);
    await askForFlag(unit, call, true);
    await askForRole(unit, call, seat.entity_id);
    unit.emit('board.tenure_started', { member: record.board_member_id, unit: seat.unit_id }, refTo(record.id));
  },
};

/**
 * When a term ends, the seat is vacant from the next day, access to the unit ends at once, and an alternate leaves too.
 */
export const seatLeft: Effect = {
  elevated: true,
  async apply(call) {
    const unit = call.unit.elevated();
    const seat = await seatOf(call, unit);
    const { record } = call;
    const day = dayOfRecord(unit, record);
    const ended = String(call.input.ended_on ?? record.ended_on ?? record.until_date ?? day);
    await setHolder(unit, seat.id, null, addDays(ended, 1));
    await setDesignationHolders(unit, seat.designation_id);
    const alternates = await unit.query<{ id: number }>(
      `select t.id from {board_tenure} t join {board_position} s on s.id = t.seat_id
       where s.unit_id = $1 and t.state = 'active' and t.alternate_for_id = $2`,
      [seat.unit_id, record.board_member_id],
    );
    for (const { id } of alternates)
      await unit.transition('board_tenure', id, 'end', { ended_on: ended, end_reason: 'other' });
    await setMembers(unit, seat.unit_id);
    const fresh = await refreshFindings(unit, seat.entity_id, day);
    await notifyOfFindings(unit, fresh, await accountsWith(unit, seat.entity_id, ['chairman']));
    await notifyMember(unit, call, ended);
    await notifySecretary(unit, call, 'has left', await actionsToHandOver(unit, call));
    await askForFlag(unit, call, false);
    unit.emit('board.tenure_ended', { member: record.board_member_id, unit: seat.unit_id }, refTo(record.id));
  },
};

const refTo = (id: number) => ({ type: 'board_tenure', id });
