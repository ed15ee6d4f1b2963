import type { Vote } from '../../../domain/board/votes.ts';
import { strengthOf } from '../../../domain/board/composition.ts';
import type { Unit } from '../../engine/records/unit.ts';
import type { SeatHolderRow } from './board_rows.ts';
import { sittingRows } from './board_rows.ts';
import { isPresent, presencesOf } from './meeting_presence.ts';

/** An item of the agenda, as far as votes need it. */
export interface AgendaItem {
  no: number | null;
  item?: string | null;
  purpose: 'decide' | 'discuss' | 'note' | null;
  decision?: string | null;
  outcome?: string | null;
}

/** A vote as stored or in the form. */
export interface VoteRow {
  no: number | null;
  board_member_id: number | null;
  vote: Vote | null;
}

type Meeting = Readonly<Record<string, unknown>>;

const rowsOf = <Row>(meeting: Meeting, name: string): Row[] =>
  Array.isArray(meeting[name]) ? (meeting[name] as Row[]) : [];
export const agendaOf = (meeting: Meeting): AgendaItem[] => rowsOf<AgendaItem>(meeting, 'agenda');
export const votesOf = (meeting: Meeting): VoteRow[] => rowsOf<VoteRow>(meeting, 'votes');

/** The members of a meeting's unit whose votes count. */
export async function votersOf(unit: Unit, meeting: Meeting): Promise<SeatHolderRow[]> {
  const company = unit.session.entityId;
  if (company === null) return [];
  const [own] = await unit.query<{ kind: string }>('select kind from {board_unit} where id = $1', [meeting.unit_id]);
  const sitting = (await sittingRows(unit, company)).filter((one) => one.unit_id === meeting.unit_id);
  return strengthOf(sitting, own?.kind ?? 'committee').filter(({ votes }) => votes);
}

/** Why a member may not vote in a meeting; null = they may. An interested member takes no part in the vote (s. 184). */
export function mayNotVote(meeting: Meeting, voters: readonly SeatHolderRow[], member: number): string | null {
  const presence = presencesOf(meeting).find((one) => one.board_member_id === member);
  if (!presence || !isPresent(presence)) return 'was not present';
  if (presence.interested === true) return 'is interested (s. 184)';
  return voters.some((one) => one.board_member_id === member) ? null : 'has no vote in this unit';
}
