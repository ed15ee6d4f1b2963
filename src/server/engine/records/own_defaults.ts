import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { tableName } from '../../db/names.ts';
import { named } from '../../db/sql_text.ts';

/** The type that a session's `employeeId` is of. */
const PEOPLE = 'employee';

interface OwnField {
  path: string;
  ref: NonNullable<Field['ref']>;
}
const found = new WeakMap<Screen, OwnField[]>();

function ownFields(screen: Screen): OwnField[] {
  let fields = found.get(screen);
  if (!fields) {
    const paths = screen.fields.flatMap((field) => [
      { path: field.name, field },
      ...(field.rows ?? []).map((column) => ({ path: `${field.name}.${column.name}`, field: column })),
    ]);
    fields = paths.flatMap(({ path, field: { defaultMe, ref } }) => (defaultMe && ref ? [{ path, ref }] : []));
    found.set(screen, fields);
  }
  return fields;
}

/**
 * Fields of a new record that name whoever adds it (`x-default`), those of its rows as `rows.column`. An employee of
 * another company is none of this one's.
 */
export async function ownDefaults(session: Session, screen: Screen): Promise<Record<string, number>> {
  const fields = ownFields(screen);
  if (fields.length === 0) return {};
  const strict = fields.some(({ ref }) => ref.type === PEOPLE && !ref.acrossCompanies);
  const employee = session.employeeId === null || (strict && !(await isOfCompany(session))) ? null : session.employeeId;
  return Object.fromEntries(
    fields.flatMap(({ path, ref }): [string, number][] => {
      if (ref.type !== PEOPLE) return [[path, session.userId]];
      const id = ref.acrossCompanies ? session.employeeId : employee;
      return id === null ? [] : [[path, id]];
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
