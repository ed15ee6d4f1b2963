import { compileExpression } from '../../../descriptor/expression/compile_expression.ts';
import { defaultLooksAt, defaultValue } from '../../../descriptor/default_values.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { quoted, tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';

/** The type that a session's `employeeId` refers to. */
const PEOPLE = 'employee';

/** Prefixes of defaults that read the company and the branch. */
const PLACES = { company: 'entity', branch: 'branch' } as const;

interface OwnField {
  path: string;
  ref: NonNullable<Field['ref']>;
}
interface OwnFields {
  people: OwnField[];
  /** The defaults that need no lookup, and those that read the company and the branch. */
  begins: { path: string; field: Field }[];
  /** The names that these read: "company.state_id". */
  places: string[];
}
const found = new WeakMap<Screen, OwnFields>();

function ownFields(screen: Screen): OwnFields {
  let fields = found.get(screen);
  if (!fields) {
    const paths = screen.fields.flatMap((field) => [
      { path: field.name, field },
      ...(field.rows ?? []).map((column) => ({ path: `${field.name}.${column.name}`, field: column })),
    ]);
    const begins = paths.filter(({ field }) => ['nothing', 'place'].includes(defaultLooksAt(field) ?? ''));
    fields = {
      people: paths.flatMap(({ path, field: { defaultMe, ref } }) => (defaultMe && ref ? [{ path, ref }] : [])),
      begins,
      places: [...new Set(begins.flatMap(({ field }) => compileExpression(field.begins!).names))],
    };
    found.set(screen, fields);
  }
  return fields;
}

/**
 * Initial values of a new record that depend on who adds it, where and when (`x-default`), including those of its rows
 * as `rows.column`: the person, the day, values of the company or the branch. An employee of another company does not
 * count as one of this company.
 */
export async function ownDefaults(session: Session, screen: Screen): Promise<Record<string, unknown>> {
  const { people, begins, places } = ownFields(screen);
  if (people.length === 0 && begins.length === 0) return {};
  const known = places.length === 0 ? {} : await placeValues(session, places);
  return {
    ...(await peopleDefaults(session, people)),
    ...Object.fromEntries(
      begins.flatMap(({ path, field }): [string, unknown][] => {
        const value = defaultValue(field, [], known);
        return value === null ? [] : [[path, fieldType(field.type).clean?.(value, field) ?? value]];
      }),
    ),
  };
}

/** The values of the session's company and branch, by name. A missing field has no value. */
async function placeValues(session: Session, names: string[]): Promise<Record<string, unknown>> {
  const { schema, db } = session.tenant;
  const values: Record<string, unknown> = {};
  const ids = { company: session.entityId, branch: session.branchIds[0] ?? null };
  for (const place of ['company', 'branch'] as const) {
    const wanted = names.filter((name) => name.startsWith(`${place}.`));
    if (wanted.length === 0 || ids[place] === null) continue;
    const columns = wanted.map((name, at) => `t.${quoted(name.slice(place.length + 1))} as "v${at}"`);
    const [row] = await db.query<Record<string, unknown>>(
      preparedStatement(`select ${columns.join(', ')} from ${tableName(schema, PLACES[place])} t where t.id = $1`, [
        ids[place],
      ]),
    );
    for (const [at, name] of wanted.entries()) values[name] = row?.[`v${at}`] ?? null;
  }
  return values;
}

async function peopleDefaults(session: Session, fields: OwnField[]): Promise<Record<string, number>> {
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
    preparedStatement(`select 1 from ${tableName(tenant.schema, PEOPLE)} where id = $1 and entity_id = $2 and active`, [
      employeeId,
      entityId,
    ]),
  );
  return rows.length > 0;
}
