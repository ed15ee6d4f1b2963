import { compileExpression } from '../../../descriptor/expression/compile_expression.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { humanise } from '../../../descriptor/humanise.ts';
import type { Placeholder } from '../../../descriptor/view_sql.ts';
import { dayIn } from '../../../descriptor/place.ts';
import { filledView, isOfCompany } from '../../../descriptor/view_sql.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { companyScope } from '../../access/rights/scope.ts';
import { columnFields } from '../../db/columns.ts';
import { AppError } from '../../db/errors.ts';
import { childTable, quoted } from '../../db/names.ts';
import type { SqlParams } from '../../db/sql_text.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import { visibleTable } from './visible_sql.ts';

const OF_COMPANY_TYPES = { today: 'date', now: 'timestamptz', zone: 'text' };

/** The choices of a view's reader, by parameter; a missing one has its initial value. */
export type ViewChoice = Readonly<Record<string, unknown>>;

/** The initial value of a parameter. */
function begins({ begins: expression, default: written }: Field): unknown {
  if (expression === undefined) return written ?? null;
  const value = compileExpression(expression).evaluate({});
  return value !== null && typeof value === 'object' ? String(value) : value;
}

/** The reader's choices from an address: `p.as_on=2026-03-31`. @throws AppError 422 with the parameter */
export function readChoice(screen: Screen, given: Record<string, string | undefined>): ViewChoice {
  const choice: Record<string, unknown> = {};
  for (const [key, text] of Object.entries(given)) {
    if (!key.startsWith('p.') || text === undefined) continue;
    const field = screen.parameters?.find(({ name }) => `p.${name}` === key);
    if (!field) throw new AppError(400, 'bad_request', `There is no parameter "${key.slice(2)}".`, { field: key });
    const read =
      field.type === 'ref'
        ? /^\d{1,15}$/.test(text)
          ? { value: Number(text) }
          : { error: 'Choose a record of the list.' }
        : fieldType(field.type).parse(text, field);
    if ('error' in read) throw new AppError(422, 'validation', read.error, { field: key });
    if (read.value !== null) choice[field.name] = read.value;
  }
  return choice;
}

/**
 * The rows of a view with an alias: its statement instead of a table, each type in it limited to the company's active
 * records. What the statement reads is not restricted to the reader, because totals would be wrong; the subject decides
 * which rows the reader gets (rowScope).
 * @throws AppError 403 if the reader may not see a field that it reads
 */
export function viewTable(
  session: Session,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  alias: string,
  values: SqlParams,
  choice: ViewChoice = {},
): string {
  for (const [type, names] of Object.entries(screen.reads!)) {
    const fields = screens.get(type)?.fields ?? [];
    const kept = names.find((name) => !fields.some((field) => field.name === name && !field.masked));
    if (kept !== undefined)
      throw new AppError(403, 'forbidden', `This list uses "${humanise(kept)}", which you may not see.`, {
        reason: 'field',
      });
  }
  const { timezone } = placeOf(session);
  const ofCompany = {
    today: () => dayIn(timezone),
    // By the minute, so that equal statements can share their answer.
    now: () => `${new Date().toISOString().slice(0, 16)}Z`,
    zone: () => timezone,
  };
  let made = 0;
  const part = ({ text, type, rows, parameter }: Placeholder): string => {
    if (parameter !== undefined && isOfCompany(parameter))
      return `${values.bind(ofCompany[parameter]())}::${OF_COMPANY_TYPES[parameter]}`;
    if (parameter !== undefined) {
      const field = screen.parameters!.find(({ name }) => name === parameter)!;
      return `${values.bind(parameter in choice ? choice[parameter] : begins(field))}::${fieldType(field.type).sql(field)}`;
    }
    const read = screens.get(type!);
    if (!read) throw new Error(`The view ${screen.name} reads ${text}, which is not there.`);
    const inner = `v${made++}`;
    const where = [`${inner}.active`, ...companyScope(session, read, inner, values)].join(' and ');
    const records = visibleTable(session, read, screens, inner, values);
    return rows === undefined
      ? `(select ${inner}.* from ${records} where ${where})`
      : `(select r.* from ${childTable(session.tenant.schema, read.name, rows)} r join ${records} on ${inner}.id = r.parent_id where ${where})`;
  };
  const columns = columnFields(screen.fields).map(
    (field) => `q.${quoted(field.name)}::${fieldType(field.type).sql(field)} as ${quoted(field.name)}`,
  );
  const company = screen.scope === 'entity' ? ['null::bigint as entity_id'] : [];
  const stamps = [
    'q.id::bigint as id',
    '1 as version',
    'true as active',
    'null::timestamptz as created_at',
    'null::bigint as created_by',
    'null::timestamptz as updated_at',
    'null::bigint as updated_by',
    "'{}'::jsonb as custom",
  ];
  return `(select ${[...stamps, ...company, ...columns].join(', ')} from (${filledView(screen.sql!, part)}) q) ${alias}`;
}
