import { asReference } from '../../../descriptor/reference_by.ts';
import type { Field, FieldError, PageType, Screen } from '../../../descriptor/types.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { Session } from '../../access/context.ts';
import { quoted, tableName } from '../../db/names.ts';
import { holdsSeveral } from '../../db/columns.ts';
import { ofPartner, rowScope } from '../../access/rights/scope.ts';
import { SqlParams, preparedStatement, memoPerScreen } from '../../db/sql_text.ts';

type Row = Record<string, unknown>;

/** The page rights of which any one lets a person read a type's records. */
const LOOKING: PageType[] = ['landing', 'view_screen', 'edit_screen'];

interface Asked {
  /** Its position among all references of the record. */
  order: number;
  path: string;
  field: Field;
  target: Screen;
  /** null = none is given. */
  id: number | null;
  /** It was chosen before, so it may be inactive by now. */
  unchanged: boolean;
  /** Only a record that the person may see: the person chose its type. */
  scoped: boolean;
  filter: [string, unknown][];
}

/**
 * All references of a record. Rows of one field mostly have the same conditions for different ids: those form one
 * group.
 */
function groupsOf(screen: Screen, screens: Map<string, Screen>, record: Row, stored: Row | null): Asked[][] {
  const asked: Asked[] = [];
  collect(screen.fields, record, stored, '', record, stored ?? {}, screens, asked);
  collectRows(screen, screens, record, stored, asked);
  return grouped(asked);
}

function collectRows(
  screen: Screen,
  screens: Map<string, Screen>,
  record: Row,
  stored: Row | null,
  asked: Asked[],
): void {
  for (const field of screen.fields) {
    if (!field.rows || !Array.isArray(record[field.name])) continue;
    if (!field.rows.some(({ ref, refBy }) => ref || refBy)) continue;
    const before = new Map(((stored?.[field.name] as Row[] | undefined) ?? []).map((row) => [row.id, row]));
    const stands = stored !== null && !choiceMoved(field.rows, record, stored);
    // Only a choice that depends on other fields needs the record around the row.
    const depends = field.rows.some(
      ({ ref, refBy }) => refBy !== undefined || Object.keys(ref?.filter ?? {}).length > 0,
    );
    (record[field.name] as Row[]).forEach((row, index) => {
      const old = before.get(row.id) ?? null;
      // An unchanged row refers to existing records: the foreign keys of the database guarantee it.
      if (stands && old === row) return;
      collect(
        field.rows!,
        row,
        old,
        `${field.name}.${index}.`,
        depends ? { ...record, ...row } : row,
        depends ? { ...stored, ...old } : (old ?? {}),
        screens,
        asked,
      );
    });
  }
}

/** Whether a field of the record that restricts the choice in a column has changed. */
function choiceMoved(columns: Field[], record: Row, stored: Row): boolean {
  return columns.some(({ ref }) =>
    Object.values(ref?.filter ?? {}).some(
      (ours) =>
        !columns.some(({ name }) => name === ours) &&
        JSON.stringify(record[ours] ?? null) !== JSON.stringify(stored[ours] ?? null),
    ),
  );
}

function grouped(asked: Asked[]): Asked[][] {
  return [
    ...Map.groupBy(asked, ({ target, field, unchanged, scoped, filter }) =>
      JSON.stringify([
        target.name,
        field.ref!.acrossCompanies,
        field.ref!.acrossWhen !== undefined,
        unchanged,
        scoped,
        filter,
      ]),
    ).values(),
  ];
}

/** The table and the conditions for the records of a group. */
function source(
  session: Session,
  screens: Map<string, Screen>,
  group: Asked[],
  values: SqlParams,
): { ids: string; from: string } {
  const { target, unchanged, scoped, filter, field } = group[0]!;
  const ids = `${values.bind([...new Set(group.flatMap(({ id }) => id ?? []))])}::bigint[]`;
  const where = [`t.id = any(${ids})`];
  if (!unchanged) where.push('t.active', ...ofPartner(session, target, 't', values));
  if (scoped && !unchanged) {
    const mayLook = LOOKING.some((page) => session.rights.refuse(target, page) === null);
    where.push(...(mayLook ? rowScope(session, target, screens, 't', values) : ['false']));
  }
  // The client may have allowed choices across companies before: existing choices remain valid.
  if (target.scope === 'entity' && !(unchanged && field.ref!.acrossWhen))
    where.push(
      field.ref!.acrossCompanies
        ? `t.entity_id = any(${values.bind(session.entityIds)})`
        : `t.entity_id = ${values.bind(session.entityId)}`,
    );
  for (const [name, value] of filter) where.push(has(target, name, values.bind(value)));
  return { ids, from: `from ${tableName(session.tenant.schema, target.name)} t where ${where.join(' and ')}` };
}

function allFound(session: Session, screens: Map<string, Screen>, group: Asked[], values: SqlParams): string {
  const { ids, from } = source(session, screens, group, values);
  return `(select count(*) ${from}) = cardinality(${ids})`;
}

/** Whether the choice depends only on the company. */
function isPlain(field: Field): boolean {
  const { filter, fixed, acrossCompanies } = field.ref!;
  return (
    field.type === 'ref' &&
    !acrossCompanies &&
    Object.keys(filter ?? {}).length === 0 &&
    Object.keys(fixed ?? {}).length === 0
  );
}

interface Reference {
  field: Field;
  target: Screen;
  plain: boolean;
}

const referencesOf = (screen: Screen, screens: Map<string, Screen>): Reference[] =>
  memoPerScreen(screens, screen, 'references', () =>
    screen.fields.flatMap((field) => {
      const target = field.ref && screens.get(field.ref.type);
      return target ? [{ field, target, plain: isPlain(field) }] : [];
    }),
  );

/**
 * The condition that all references of a new record are valid, for the statement that writes it. Empty fields have a
 * condition too, which is true: otherwise every combination of fields would need a separate statement.
 * @param placeOf the parameter with the value of a field
 */
export function referenceConditions(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  record: Row,
  values: SqlParams,
  placeOf: (field: Field) => string | undefined,
): string[] {
  const conditions: string[] = [];
  let company: string | undefined;
  for (const { field, target, plain } of referencesOf(screen, screens)) {
    const place = plain && !session.partnerId ? placeOf(field) : undefined;
    if (place !== undefined) {
      const ofCompany =
        target.scope === 'entity' ? ` and t.entity_id = ${(company ??= values.bind(session.entityId))}::bigint` : '';
      conditions.push(
        `(${place}::bigint is null or exists (select 1 from ${tableName(session.tenant.schema, target.name)} t where t.id = ${place}::bigint and t.active${ofCompany}))`,
      );
      continue;
    }
    const asked: Asked[] = [];
    collect([field], record, null, '', record, {}, screens, asked);
    const none: Asked = {
      order: 0,
      path: field.name,
      field,
      target,
      id: null,
      unchanged: false,
      scoped: false,
      filter: [...dependent(field, record), ...Object.entries(field.ref!.fixed ?? {})],
    };
    conditions.push(allFound(session, screens, asked.length > 0 ? asked : [none], values));
  }
  const asked: Asked[] = [];
  const named = memoPerScreen(screens, screen, 'records named', () => screen.fields.filter(({ refBy }) => refBy));
  if (named.length > 0) collect(named, record, null, '', record, {}, screens, asked);
  if (named.length === 0 && !screen.fields.some(({ rows }) => rows)) return conditions;
  collectRows(screen, screens, record, null, asked);
  return [...conditions, ...grouped(asked).map((group) => allFound(session, screens, group, values))];
}

/**
 * Checks all references of a record in one statement: the referenced record exists, is active, belongs to the company
 * and matches the field's filter, in other words, the look-up would have offered it.
 */
export async function referenceErrors(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  record: Row,
  stored: Row | null,
): Promise<FieldError[]> {
  const groups = groupsOf(screen, screens, record, stored);
  if (groups.length === 0) return [];
  const values = new SqlParams();
  const parts = groups.map((group, at) => `select ${at} as at, t.id ${source(session, screens, group, values).from}`);
  const found = await session.tenant.db.query<{ at: number; id: number }>(
    preparedStatement(parts.join(' union all '), values.list),
  );
  const right = groups.map(() => new Set<number>());
  for (const { at, id } of found) right[at]!.add(id);
  const wrong = groups.flatMap((group, at) => group.filter(({ id }) => !right[at]!.has(id!)));
  return wrong
    .sort((one, other) => one.order - other.order)
    .map(({ path, field, target }) => ({
      field: path,
      message: `Choose ${field.title} from the list: this ${inSentence(target.title)} does not exist or cannot be used here.`,
    }));
}

/** The condition that a field equals the value or, if it has several, contains it. */
function has(target: Screen, name: string, value: string): string {
  return holdsSeveral(target, name)
    ? `${value} = any(t.${quoted(name)})`
    : `t.${quoted(name)} is not distinct from ${value}`;
}

/** The condition on the chosen record from other fields of the form that have a value. */
function dependent(field: Field, form: Row): [string, unknown][] {
  return Object.entries(field.ref!.filter ?? {}).flatMap(([theirs, ours]): [string, unknown][] =>
    form[ours] === null || form[ours] === undefined ? [] : [[theirs, form[ours]]],
  );
}

function collect(
  fields: Field[],
  row: Row,
  before: Row | null,
  prefix: string,
  form: Row,
  formBefore: Row,
  screens: Map<string, Screen>,
  asked: Asked[],
): void {
  for (const one of fields) {
    const field = one.refBy ? asReference(one, row) : one;
    const target = field?.ref && screens.get(field.ref.type);
    const value = row[one.name];
    if (!field || !target || value === null || value === undefined) continue;
    const filter = dependent(field, form);
    const fixed = Object.entries(field.ref!.fixed ?? {});
    const moved = Object.values(field.ref!.filter ?? {}).some(
      (ours) => JSON.stringify(form[ours] ?? null) !== JSON.stringify(formBefore[ours] ?? null),
    );
    const old = before?.[field.name];
    for (const id of (Array.isArray(value) ? value : [value]) as number[]) {
      // The schema refuses invalid ids, and the database cannot be queried for them.
      if (!Number.isSafeInteger(id)) continue;
      const unchanged =
        (Array.isArray(old) ? old.includes(id) : old === id) &&
        (!one.refBy || before?.[one.refBy.field] === row[one.refBy.field]);
      // The choice remains valid as long as the fields it depends on are unchanged.
      asked.push({
        order: asked.length,
        path: prefix + field.name,
        field,
        target,
        id,
        unchanged,
        scoped: one.refBy !== undefined,
        filter: unchanged ? (moved ? filter : []) : [...filter, ...fixed],
      });
    }
  }
}
