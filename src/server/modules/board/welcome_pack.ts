import { formatDate } from '../../../descriptor/format.ts';
import { monthNames } from '../../../domain/month_names.ts';
import type { Unit } from '../../engine/records/unit.ts';

const MEETINGS = 3;

/** A part of the pack; without lines it is left out. */
const part = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${title}:\n${lines.map((line) => `- ${line}`).join('\n')}`];

/** Mails a person who joins a unit what they need first: purpose, members, next meetings, annual plan, declarations due. */
export async function sendWelcomePack(unit: Unit, unitId: number, memberId: number, day: string): Promise<void> {
  const [facts] = await unit.query<{
    name: string;
    purpose: string | null;
    charter: boolean;
    secretary: string | null;
    user_id: number | null;
  }>(
    `select u.name, u.purpose, u.charter is not null as charter, s.name as secretary, coalesce(m.user_id, e.user_id) as user_id
     from {board_unit} u join {board_member} m on m.id = $2 left join {employee} e on e.id = m.employee_id
     left join {employee} s on s.id = u.secretary_id where u.id = $1`,
    [unitId, memberId],
  );
  if (!facts || facts.user_id === null) return;
  const members = await unit.query<{ name: string; designation: string }>(
    `select m.name, d.name as designation from {board_position} p join {board_member} m on m.id = p.holder_id
     join {board_designation} d on d.id = p.designation_id
     where p.unit_id = $1 and p.active and p.abolished_on is null and m.id <> $2 order by d.order_no nulls last, m.name`,
    [unitId, memberId],
  );
  const meetings = await unit.query<{ held_on: string; place: string | null }>(
    `select held_on::text, place from {board_meeting} where unit_id = $1 and active and state in ('planned', 'called') and held_on >= $2
     order by held_on limit ${MEETINGS}`,
    [unitId, day],
  );
  const plan = await unit.query<{ month: number; item: string | null }>(
    'select month, item from {board_unit.work_plan} where parent_id = $1 order by month',
    [unitId],
  );
  const declarations = await unit.query<{ number: string; due_on: string }>(
    `select number, due_on::text from {board_disclosure} where board_member_id = $1 and active and state in ('due', 'overdue') order by due_on`,
    [memberId],
  );
  const pack = [
    ...(facts.purpose ? [facts.purpose] : []),
    ...part(
      'Members',
      members.map(({ name, designation }) => `${name}, ${designation}`),
    ),
    ...part(
      'Next meetings',
      meetings.map(({ held_on: on, place }) => [formatDate(on), place].filter(Boolean).join(', ')),
    ),
    ...part(
      'Annual plan',
      plan.map(({ month, item }) => `${monthNames[month - 1]}: ${item ?? 'to be agreed'}`),
    ),
    ...part(
      'Declarations to give',
      declarations.map(({ number, due_on: due }) => `${number}, due on ${formatDate(due)}`),
    ),
    ...(facts.charter ? ['The charter is in the record of the unit.'] : []),
    ...(facts.secretary === null ? [] : [`Your contact is ${facts.secretary}.`]),
  ];
  await unit.notify({
    event: 'board.welcome',
    to: [facts.user_id],
    values: { unit: facts.name, pack: pack.join('\n\n') },
    link: `/CommitteeDashboard?unit=${unitId}`,
  });
}
