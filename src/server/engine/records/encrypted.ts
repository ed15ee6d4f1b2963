import { ownRows } from '../../../descriptor/own_rows.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import { quoted, childTable, tableName } from '../../db/names.ts';
import type { Directory } from '../../db/directory.ts';
import type { Database } from '../../db/database.ts';
import { allTenants } from '../../db/tenants.ts';
import type { Vault } from '../../db/vault.ts';
import { SEALED } from '../../db/vault.ts';

type Row = Record<string, unknown>;

const encryptedOf = (fields: readonly Field[] | undefined): Field[] =>
  fields?.filter(({ encrypted }) => encrypted === true) ?? [];

/** Most types have nothing to encrypt. */
const places = new WeakMap<Screen, { own: Field[]; rows: Field[] }>();

function placesOf(screen: Screen): { own: Field[]; rows: Field[] } {
  let found = places.get(screen);
  if (!found)
    places.set(
      screen,
      (found = {
        own: encryptedOf(screen.fields),
        rows: screen.fields.filter((field) => encryptedOf(ownRows(field)).length > 0),
      }),
    );
  return found;
}

function mapped(screen: Screen, values: Row, change: (text: string, place: string) => string | null): Row {
  const encrypted = placesOf(screen);
  const own = encrypted.own.filter(({ name }) => typeof values[name] === 'string');
  const rows = encrypted.rows.filter(({ name }) => Array.isArray(values[name]));
  if (own.length === 0 && rows.length === 0) return values;
  const result = { ...values };
  for (const { name } of own) result[name] = change(values[name] as string, `${screen.name}.${name}`);
  for (const field of rows) {
    const columns = encryptedOf(field.rows);
    result[field.name] = (values[field.name] as Row[]).map(
      (row) =>
        Object.assign(
          { ...row },
          ...(columns
            .filter(({ name }) => typeof row[name] === 'string')
            .map(({ name }) => ({
              [name]: change(row[name] as string, `${screen.name}.${field.name}.${name}`),
            })) as Row[]),
        ) as Row,
    );
  }
  return result;
}

/** A record in stored form: values of encrypted fields are encrypted. */
export function sealed(vault: Vault | undefined, screen: Screen, record: Row): Row {
  return mapped(screen, record, (text, place) => {
    if (!vault) throw new Error(`Nothing can be stored in ${place}: there is no key to encrypt it with.`);
    return vault.seal(text, place);
  });
}

/** A stored record with decrypted values. Values that this installation cannot decrypt are empty. */
export function opened(vault: Vault | undefined, screen: Screen, stored: Row): Row {
  return mapped(screen, stored, (text, place) => vault?.open(text, place) ?? null);
}

/**
 * Encrypts values still stored in clear: by an earlier release, or restored from its backup. A value changed in the
 * meantime is left alone.
 * @returns the number of values
 */
export async function encryptStored(
  directory: Directory,
  screens: ReadonlyMap<string, Screen>,
  vault: Vault,
): Promise<number> {
  const columns = [...screens.values()].flatMap((screen) => [
    ...encryptedOf(screen.fields).map(({ name }) => ({
      table: (schema: string) => tableName(schema, screen.name),
      column: name,
      place: `${screen.name}.${name}`,
    })),
    ...screen.fields.flatMap((field) =>
      encryptedOf(ownRows(field)).map(({ name }) => ({
        table: (schema: string) => childTable(schema, screen.name, field.name),
        column: name,
        place: `${screen.name}.${field.name}.${name}`,
      })),
    ),
  ]);
  let count = 0;
  const failed: unknown[] = [];
  const clients = await allTenants(directory);
  const encryptOf = async (db: Database, schema: string): Promise<void> => {
    const there = await db.query<{ at: number }>(
      `select at::int - 1 as at from unnest($1::text[]) with ordinality as t(name, at) where to_regclass(name) is not null`,
      [columns.map(({ table }) => table(schema))],
    );
    const present = there.map(({ at }) => columns[at]!);
    if (present.length === 0) return;
    const clear = await db.query<{ at: number; id: number; value: string }>(
      present
        .map(
          ({ table, column }, at) =>
            `select ${at} as at, id, ${quoted(column)} as value from ${table(schema)} where ${quoted(column)} is not null and not starts_with(${quoted(column)}, '${SEALED}')`,
        )
        .join(' union all '),
    );
    for (const { at, id, value } of clear) {
      const { table, column, place } = present[at]!;
      await db.query(`update ${table(schema)} set ${quoted(column)} = $2 where id = $1 and ${quoted(column)} = $3`, [
        id,
        vault.seal(value, place),
        value,
      ]);
      count++;
    }
  };
  // A failing client does not affect the others.
  for (const { db, schema } of [{ db: directory.main, schema: 'public' }, ...clients])
    await encryptOf(db, schema).catch((error: unknown) => failed.push(error));
  if (failed.length > 0) throw failed[0];
  return count;
}
