/** Records that fall due, for the rules of Mail configuration: which, when, whose, and until when anybody is reminded. */
export interface EscalationSource {
  module: string;
  event: string;
  /** What an administrator reads. */
  title: string;
  /** Record type whose fields are the words of the message. */
  type: string;
  /** Child rows that fall due, each by itself; their columns are words as well. */
  rows?: string;
  /** The field with the day, of the row if there are rows. */
  date: string;
  /** SQL over the record r (and the row w): only while this holds is anybody told. */
  open: string;
  /** SQL of an employee's id over r, by part in the record. */
  people: Partial<Record<'assignee' | 'requester' | 'owner' | 'approver', string>>;
}

const EMPLOYED = `r.active and r.status <> 'left'`;

/** The platform's own; a module that has records with dates adds them here. */
export const ESCALATION_SOURCES: readonly EscalationSource[] = [
  { module: 'employee', event: 'expiring', title: 'Document of an employee expires', type: 'employee', rows: 'documents', date: 'expires_on', open: EMPLOYED, people: { owner: 'r.id', assignee: 'r.id' } },
  { module: 'employee', event: 'due_soon', title: 'Probation ends', type: 'employee', date: 'probation_end', open: `${EMPLOYED} and r.employment_type = 'probation' and r.confirmed_on is null`, people: { owner: 'r.id', assignee: 'r.id' } },
  { module: 'employee', event: 'ending', title: 'Contract of an employee ends', type: 'employee', date: 'contract_end', open: EMPLOYED, people: { owner: 'r.id', assignee: 'r.id' } },
  { module: 'employee', event: 'leaving', title: 'Employee leaves', type: 'employee', date: 'last_working_day', open: `r.active and r.status = 'on_notice'`, people: { owner: 'r.id', assignee: 'r.id' } },
  { module: 'platform', event: 'ending', title: 'Delegation ends', type: 'delegation', date: 'to_date', open: `r.active and r.state in ('draft','active')`, people: { owner: 'r.from_employee_id', requester: 'r.from_employee_id', assignee: 'r.to_employee_id' } },
  { module: 'platform', event: 'expiring', title: 'User account runs out', type: 'users', date: 'valid_to', open: `r.active and r.status = 'active'`, people: { owner: 'r.employee_id', assignee: 'r.employee_id' } },
];

/** The source of a rule; undefined = nothing of this kind falls due by a date. */
export function sourceOf(module: unknown, event: unknown): EscalationSource | undefined {
  return ESCALATION_SOURCES.find((one) => one.module === module && one.event === event);
}
