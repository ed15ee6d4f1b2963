import { isForOwnerAlone } from '../../../descriptor/owner_alone.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import { tableName } from '../../db/tables.ts';

/** A line of a rule's "To". */
export interface RecipientLine {
  kind: string;
  role_id: number | null;
  employee_id: number | null;
  mail: string | null;
  copy?: 'to' | 'cc' | null;
}

/** A recipient: a user, or an address without an account. */
export interface Recipient {
  userId: number | null;
  name: string;
  email: string;
  /** For information only. */
  copy?: boolean;
}

type Parts = Partial<Record<string, number | null>>;

/**
 * The lines of a rule for one record: of a record that only its people see, those of them whom it names. `fields` are the
 * fields in which it names them. Managers, roles and addresses get no message about it.
 */
export function linesFor(
  { personal }: Pick<Screen, 'personal'>,
  record: Readonly<Record<string, unknown>>,
  lines: readonly RecipientLine[],
  fields: Readonly<Record<string, string | undefined>>,
): readonly RecipientLine[] {
  if (!personal) return lines;
  const applies = (when: Readonly<Record<string, string>>) =>
    Object.entries(when).every(([name, value]) => record[name] === value);
  const kept = [
    ...(isForOwnerAlone({ personal }) && applies(personal.when ?? {}) ? [[personal.owner]] : []),
    ...(personal.shared ?? []).flatMap((one) => (applies(one.when) ? [[personal.owner, ...one.with]] : [])),
  ];
  return lines.filter(({ kind }) => {
    const field = fields[kind];
    // People in a row answer for that row, whoever sees the record.
    const isSeen = field?.includes('.') || kept.every((names) => field !== undefined && names.includes(field));
    return kept.length === 0 || isSeen;
  });
}

/**
 * The recipients of a rule's lines for one record, each once; a person in both "To" and "Copy" lines is expected to
 * act.
 */
export async function recipientsOf(
  tenant: Pick<Tenant, 'db' | 'schema'>,
  lines: readonly RecipientLine[],
  parts: Parts,
  entityId: number | null,
): Promise<Recipient[]> {
  const asked = await peopleOf(
    tenant,
    lines.filter(({ copy }) => copy !== 'cc'),
    parts,
    entityId,
  );
  const informed = await peopleOf(
    tenant,
    lines.filter(({ copy }) => copy === 'cc'),
    parts,
    entityId,
  );
  const keyOf = ({ userId, email }: Recipient) => (userId === null ? email.toLowerCase() : String(userId));
  const keys = new Set(asked.map(keyOf));
  return [...asked, ...informed.filter((one) => !keys.has(keyOf(one))).map((one) => ({ ...one, copy: true }))];
}

/**
 * The recipients of a rule's lines for one record, each once. People who left are not notified; for a department
 * without a head the next higher head is.
 */
async function peopleOf(
  tenant: Pick<Tenant, 'db' | 'schema'>,
  lines: readonly RecipientLine[],
  parts: Parts,
  entityId: number | null,
): Promise<Recipient[]> {
  const { db, schema } = tenant;
  const s = quoted(schema);
  const employees = tableName(schema, 'employee');
  const employeeIds: number[] = [];
  const found: Recipient[] = [];
  const base = parts.assignee ?? parts.owner ?? parts.requester ?? null;
  const one = async (text: string, values: unknown[]): Promise<void> => {
    for (const { id } of await db.query<{ id: number | null }>(text, values)) if (id !== null) employeeIds.push(id);
  };
  for (const { kind, role_id: role, employee_id: employee, mail } of lines) {
    if (kind === 'mail') found.push({ userId: null, name: mail ?? '', email: mail ?? '' });
    else if (kind === 'employee') employeeIds.push(employee ?? 0);
    else if (kind in parts) employeeIds.push(parts[kind] ?? 0);
    else if (kind.startsWith('manager_')) {
      await one(
        `with recursive up(id, above, depth) as (
           select id, reporting_to_id, 0 from ${employees} where id = $1 union all select e.id, e.reporting_to_id, depth + 1 from up join ${employees} e on e.id = up.above where depth < 3)
         select id from up where depth = $2`,
        [base, Number(kind.slice('manager_'.length))],
      );
    } else if (kind === 'department_head') {
      await one(
        `with recursive up(id, parent, head, depth) as (
           select d.id, d.parent_department_id, h.id, 0 from ${employees} e join ${s}.department d on d.id = e.department_id left join ${employees} h on h.id = d.head_id and h.status <> 'left' where e.id = $1
           union all select d.id, d.parent_department_id, h.id, depth + 1 from up join ${s}.department d on d.id = up.parent left join ${employees} h on h.id = d.head_id and h.status <> 'left' where up.head is null and depth < 10)
         select head as id from up where head is not null limit 1`,
        [base],
      );
    } else if (kind === 'branch_head')
      await one(`select b.head_id as id from ${employees} e join ${s}.branch b on b.id = e.branch_id where e.id = $1`, [
        base,
      ]);
    else {
      const flag = ['chairman', 'ceo', 'secretary'].includes(kind) ? `u.${kind}_flag` : 'false';
      found.push(
        ...(await db.query<Recipient>(
          `select u.id as "userId", u.name, u.email from ${s}.users u where u.active and u.status = 'active' and not coalesce(u.is_service, false) and (${flag}
           or ($3 = 'role' and exists (select 1 from ${s}.users__companies c where c.parent_id = u.id and $1 = any(c.role_ids) and ($2::bigint is null or c.entity_id = $2)))) order by u.id`,
          [role, entityId, kind],
        )),
      );
    }
  }
  if (employeeIds.length > 0)
    found.unshift(
      ...(await db.query<Recipient>(
        `select u.id as "userId", coalesce(u.name, e.name) as name, coalesce(u.email, e.work_email) as email from ${employees} e
       left join ${s}.users u on u.employee_id = e.id and u.active and u.status = 'active'
       where e.id = any($1) and e.status <> 'left' and coalesce(u.email, e.work_email) is not null order by array_position($1, e.id)`,
        [employeeIds],
      )),
    );
  const keys = new Set<string>();
  return found.filter(({ userId, email }) => {
    const key = userId === null ? email.toLowerCase() : String(userId);
    if (email === '' || keys.has(key)) return false;
    keys.add(key);
    return true;
  });
}
