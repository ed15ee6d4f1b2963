export type Priority = 'p1' | 'p2' | 'p3' | 'p4';
export type Impact = 'company' | 'department' | 'team' | 'person';
export type Urgency = 'now' | 'today' | 'this_week' | 'whenever';

const ORDER: readonly Priority[] = ['p1', 'p2', 'p3', 'p4'];
const URGENCIES: readonly Urgency[] = ['now', 'today', 'this_week', 'whenever'];

/** The default matrix, until a company defines its own (act 3.7). */
const USUAL_MATRIX: Readonly<Record<Impact, readonly Priority[]>> = {
  company: ['p1', 'p1', 'p2', 'p3'],
  department: ['p1', 'p2', 'p3', 'p3'],
  team: ['p2', 'p3', 'p3', 'p4'],
  person: ['p2', 'p3', 'p4', 'p4'],
};

/** The priority one step above; P1 stays. */
function raised(priority: Priority): Priority {
  return ORDER[Math.max(0, ORDER.indexOf(priority) - 1)]!;
}

/** The priority of a ticket by impact and urgency; for a VIP it is one step higher (act 3.7). */
export function ticketPriority(
  impact: Impact,
  urgency: Urgency,
  { vip = false, own = {} }: { vip?: boolean; own?: Readonly<Record<string, unknown>> } = {},
): Priority {
  const set = own[`${impact}_${urgency}`];
  const found = ORDER.includes(set as Priority) ? (set as Priority) : USUAL_MATRIX[impact][URGENCIES.indexOf(urgency)]!;
  return vip ? raised(found) : found;
}

/** The urgency that a ticket needs for a higher priority; null = urgency alone is not enough. */
export function moreUrgent(impact: Impact, urgency: Urgency, own: Readonly<Record<string, unknown>>): Urgency | null {
  const now = ORDER.indexOf(ticketPriority(impact, urgency, { own }));
  const earlier = URGENCIES.slice(0, URGENCIES.indexOf(urgency)).toReversed();
  return earlier.find((one) => ORDER.indexOf(ticketPriority(impact, one, { own })) < now) ?? null;
}
