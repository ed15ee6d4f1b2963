import { createHash } from 'node:crypto';
import { formatValue } from '../../../descriptor/format.ts';
import { inCurrency } from '../../../descriptor/money.ts';
import { atRecord } from '../../../descriptor/place.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { quoted } from '../../db/names.ts';
import type { Situation } from './approval_route.ts';
import { amountField } from './approval_route.ts';

type Row = Record<string, unknown>;

/** The person who took the requesting transition. */
export interface Requester {
  userId: number;
  employeeId: number | null;
  name: string;
}

/** The requesters, place and amount. `requester`: by default the acting person. */
export async function situationOf(
  session: Session,
  screen: Screen,
  record: WireRecord,
  requester: Requester = { userId: session.userId, employeeId: session.employeeId, name: session.userName },
): Promise<Situation> {
  const { db, schema } = session.tenant;
  const s = quoted(schema);
  const field = screen.fields.find(({ name }) => name === screen.approval?.requester);
  const named = field && typeof record[field.name] === 'number' ? (record[field.name] as number) : null;
  const [person] =
    named === null
      ? []
      : await db.query<{ id: number | null; employee_id: number | null; name: string }>(
          field!.ref!.type === 'users'
            ? `select id, employee_id, name from ${s}.users where id = $1`
            : `select u.id, e.id as employee_id, e.name from ${s}.employee e left join ${s}.users u on u.employee_id = e.id where e.id = $1 order by u.id limit 1`,
          [named],
        );
  return {
    screen,
    record,
    amount: amountOf(screen, record),
    branchId: typeof record.branch_id === 'number' ? record.branch_id : null,
    branchName: typeof record.branch_id__label === 'string' ? record.branch_id__label : null,
    requester: {
      userId: person?.id ?? requester.userId,
      employeeId: person ? person.employee_id : requester.employeeId,
      name: person?.name ?? requester.name,
    },
    requesters: [...new Set([requester.userId, ...(person?.id ? [person.id] : [])])],
  };
}

/** The amount that decides levels and authorities; null = the type has none. */
export const amountOf = ({ approval }: Screen, record: Row): string | null => {
  const value = approval?.amount === undefined ? null : record[approval.amount];
  return value === null || value === undefined ? null : String(value as string | number);
};

/** The currency of the document's amount; null = the company's. */
export function currencyOfAmount(screen: Screen, record: Row): string | null {
  const field = amountField(screen);
  return field?.currencyFrom === undefined ? null : inCurrency(field, record).currency || null;
}

/** The summary of a document for its approvers. */
export function subjectOf(screen: Screen, record: WireRecord): string {
  const words = atRecord(record, () =>
    screen.label.map((name) =>
      formatValue(
        screen.fields.find((field) => field.name === name)!,
        record[name],
        record,
      ),
    ),
  );
  return `${screen.title} ${words.filter((text) => text !== '').join(' · ') || record.id}`.slice(0, 250);
}

/** The approved content as one value: it changes with the record. Values filled in by the system are ignored. */
export function digestOf(screen: Screen, record: Row): string {
  const names = screen.approval?.binds;
  const bound = screen.fields.filter(({ name, readOnly }) => (names ? names.includes(name) : !readOnly));
  const values = bound.map(({ name, rows }) => [
    name,
    rows && Array.isArray(record[name])
      ? (record[name] as Row[]).map((row) => rows.map((column) => row[column.name] ?? null))
      : (record[name] ?? null),
  ]);
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}

/** The titles of the fields that the last change of a record changed. */
export async function lastChanged({ tenant: { db, schema } }: Session, screen: Screen, id: number): Promise<string> {
  const [row] = await db.query<{ change: Row | null }>(
    `select change from ${quoted(schema)}.history where record_type = $1 and record_id = $2 order by id desc limit 1`,
    [screen.name, id],
  );
  return Object.keys(row?.change ?? {})
    .flatMap((name) => screen.fields.find((field) => field.name === name)?.title ?? [])
    .join(', ');
}
