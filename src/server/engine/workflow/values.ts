import { LABEL, compileExpression } from '../../../descriptor/expression/compile_expression.ts';
import { needsOf, scopeFor, valueOf } from '../../../descriptor/expression/scope.ts';
import { ExpressionError } from '../../../descriptor/expression/value.ts';
import type { Value } from '../../../descriptor/expression/value.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { labelExpression } from '../../db/columns.ts';
import { quoted, tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';

type Row = Readonly<Record<string, unknown>>;

/** A record and the scope of its expressions: its fields and, through its references, fields of other records. */
export interface Surroundings {
  session: Session;
  screen: Screen;
  screens: ReadonlyMap<string, Screen>;
  record: Row;
  /** A row of the record, whose columns take precedence in expressions. */
  row?: { fields: Field[]; values: Row };
  /** Further names, such as the answers. */
  more?: Record<string, Value>;
}

/** The value of an expression for a record on the server; null if it cannot be computed. */
export async function valueIn(around: Surroundings, text: string): Promise<Value> {
  const expression = compileExpression(text);
  const { screen, record, row, more = {} } = around;
  const fields = new Map([...screen.fields, ...(row?.fields ?? [])].map((field) => [field.name, field]));
  const paths = expression.names.filter((name) => name.includes('.') && fields.get(name.split('.')[0]!)?.ref);
  const layers = [...(row ? [{ fields: row.fields, record: row.values }] : []), { fields: screen.fields, record }];
  const scope = scopeFor(needsOf([expression]), ...layers);
  const reached = await Promise.all(paths.map(async (path) => [path, await behindReferences(around, path)] as const));
  try {
    return expression.evaluate({ ...scope, ...Object.fromEntries(reached), ...more });
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}

/** Whether a condition is true; missing values make it true, as in rules. */
export async function holds(around: Surroundings, text: string | undefined): Promise<boolean> {
  return text === undefined || (await valueIn(around, text)) !== false;
}

/** The label of a record: a text, whatever the type of its fields. */
const NAME = { name: LABEL, type: 'text' } as Field;

/** A field of a record behind one or more references, or its label. */
async function behindReferences({ session, screen, screens, record, row }: Surroundings, path: string): Promise<Value> {
  const [first = '', ...rest] = path.split('.');
  const own = row?.fields.find(({ name }) => name === first);
  const id = own ? row!.values[first] : record[first];
  let type: string | undefined = (own ?? screen.fields.find(({ name }) => name === first))?.ref?.type;
  if (typeof id !== 'number') return null;
  const joins: string[] = [];
  let found: { field: Field; column: string } | undefined;
  for (const [at, name] of rest.entries()) {
    const target = type === undefined ? undefined : screens.get(type);
    if (!target) return null;
    const field = name === LABEL ? NAME : target.fields.find((one) => one.name === name);
    if (!field) return null;
    const table = tableName(session.tenant.schema, target.name);
    joins.push(at === 0 ? `${table} t0` : `join ${table} t${at} on t${at}.id = t${at - 1}.${quoted(rest[at - 1]!)}`);
    found = {
      field,
      column:
        name === LABEL
          ? labelExpression(target, `t${at}`, { screens, schema: session.tenant.schema })
          : `t${at}.${quoted(name)}`,
    };
    type = field.ref?.type;
  }
  if (!found) return null;
  const [stored] = await session.tenant.db.query<{ value: unknown }>(
    preparedStatement(`select ${found.column} as value from ${joins.join(' ')} where t0.id = $1`, [id]),
  );
  return valueOf(found.field, stored?.value ?? null);
}
