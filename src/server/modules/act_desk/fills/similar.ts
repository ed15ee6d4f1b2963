import type { Fill } from '../../../engine/modules.ts';

const SHOWN = 5;
const OPEN = ['new', 'pending_approval', 'assigned', 'in_progress', 'paused'];
/** Shorter words are too common to compare subjects by. */
const SHORTEST_WORD = 4;

/** The significant words of a subject. */
export const wordsOf = (subject: unknown): string[] =>
  typeof subject === 'string'
    ? [...new Set(subject.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].filter((word) => word.length >= SHORTEST_WORD)
    : [];

/**
 * Open tickets similar to the new one: of the same service, with a word of its subject in common. Other people's
 * tickets are listed only if they are of the same branch and affect more than one person.
 */
export const similar: Fill = {
  async run({ unit, record }) {
    const words = wordsOf(record.subject);
    if (typeof record.id === 'number' || typeof record.service_id !== 'number' || words.length === 0)
      return { similar: null };
    const rows = await unit.query<{ ticket_no: string; subject: string; status: string }>(
      `select ticket_no, subject, status from {ticket} t where t.entity_id = $1 and t.active and t.service_id = $2 and t.status = any($3)
         and ($4::bigint in (t.requester_id, t.on_behalf_of_id) or (t.branch_id = $5 and t.impact <> 'person'))
         and exists (select 1 from unnest($6::text[]) w where position(w in lower(t.subject)) > 0)
       order by (select count(*) from unnest($6::text[]) w where position(w in lower(t.subject)) > 0) desc, t.id desc limit ${SHOWN}`,
      [unit.session.entityId, record.service_id, OPEN, unit.session.employeeId, record.branch_id ?? null, words],
    );
    return { similar: rows.map(({ ticket_no: no, subject }) => `${no}  ${subject}`).join('\n') || null };
  },
};
