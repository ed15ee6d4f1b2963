import type { Screen } from '../../descriptor/types.ts';
import type { Session } from '../context.ts';
import { tableName } from '../db/names.ts';
import { named } from './sql_text.ts';

/** The type that a session's `employeeId` is of. */
const PEOPLE = 'employee';

/** Fields of a new record that name whoever adds it (`x-default`). An employee of another company is none of this one's. */
export async function ownDefaults(session: Session, screen: Screen): Promise<Record<string, number>> {
  const fields = screen.fields.filter((field) => field.defaultMe);
  if (fields.length === 0) return {};
  const strict = fields.some((field) => field.ref!.type === PEOPLE && !field.ref!.acrossCompanies);
  const employee = session.employeeId === null || (strict && !(await isOfCompany(session))) ? null : session.employeeId;
  return Object.fromEntries(
    fields.flatMap((field): [string, number][] => {
      if (field.ref!.type !== PEOPLE) return [[field.name, session.userId]];
      const id = field.ref!.acrossCompanies ? session.employeeId : employee;
      return id === null ? [] : [[field.name, id]];
    }),
  );
}

async function isOfCompany({ tenant, employeeId, entityId }: Session): Promise<boolean> {
  const rows = await tenant.db.query(
    named(`select 1 from ${tableName(tenant.schema, PEOPLE)} where id = $1 and entity_id = $2 and active`, [
      employeeId,
      entityId,
    ]),
  );
  return rows.length > 0;
}
