import type { Presence } from '../../../domain/board/meeting_clocks.ts';

/** How a member took part in a meeting. */
export interface MeetingPresence {
  board_member_id: number;
  presence: Presence | null;
  interested: boolean | null;
}

export const presencesOf = (meeting: Readonly<Record<string, unknown>>): MeetingPresence[] =>
  Array.isArray(meeting.attendance) ? (meeting.attendance as MeetingPresence[]) : [];

export const isPresent = ({ presence }: MeetingPresence): boolean => presence === 'in_person' || presence === 'video';
