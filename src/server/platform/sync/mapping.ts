import { compileExpression } from '../../../descriptor/expression/compile_expression.ts';
import { ExpressionError, text as valueText } from '../../../descriptor/expression/value.ts';
import type { Value } from '../../../descriptor/expression/value.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { namesOf, resolveNames } from '../../engine/excel/reference_names.ts';
import type { Mapped, Mapping, SyncJob } from './job.ts';
import type { RawRow } from './source_kind.ts';

/** A cell after transformation and default; empty is null. */
function valueOf(
  { source_column: column, transform, default_value: fallback }: Mapping,
  cells: Record<string, unknown>,
): unknown {
  let value = cells[column] ?? null;
  if (transform) {
    const scope = Object.fromEntries(Object.entries({ ...cells, value }).map(([name, cell]) => [name, plain(cell)]));
    const result = compileExpression(transform).evaluate(scope);
    value = result === null || typeof result === 'boolean' || typeof result === 'string' ? result : valueText(result);
  }
  if (typeof value === 'string') value = value.trim();
  return value === null || value === '' ? (fallback ?? null) : value;
}

function plain(cell: unknown): Value {
  if (cell === null || cell === undefined) return null;
  if (typeof cell === 'boolean') return cell;
  return cell instanceof Date ? cell.toISOString() : typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

export function keyOf(job: Pick<SyncJob, 'natural_key'>, record: Record<string, unknown>): string {
  return job.natural_key.map((name) => String(record[name] ?? '').trim()).join(' / ');
}

/** Keys are compared ignoring case, like the product's own. */
export const keyId = (key: string): string => key.toLowerCase();

/** Maps rows to records of a list: values by the fields' own rules, references by code or name. */
export async function mapToList(
  job: SyncJob,
  session: Session,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  rows: RawRow[],
): Promise<Mapped[]> {
  const fields = new Map(screen.fields.map((field) => [field.name, field]));
  const texts = new Map<Field, Set<string>>();
  const mapped = rows.map(({ row, cells, faults }): Mapped => {
    const record: Record<string, unknown> = {};
    const errors: string[] = [];
    const written: Record<string, unknown> = {};
    for (const mapping of job.mapping) {
      const field = fields.get(mapping.target_field)!;
      const cell = cellOf(mapping, cells, errors, faults);
      written[field.name] = cell;
      if (cell === null) record[field.name] = null;
      else if (field.ref) {
        record[field.name] = namesOf(field, cell, texts);
      } else {
        const parsed = fieldType(field.type).parse(cell, field);
        if ('error' in parsed) errors.push(`${mapping.source_column}: ${parsed.error}`);
        else record[field.name] = parsed.value;
      }
    }
    return { row, cells, record, errors, key: keyOf(job, written) };
  });
  for (const [field, names] of texts) {
    const target = screens.get(field.ref!.type);
    const found = target ? await resolveNames(session, screens, field, target, names) : new Map<string, never>();
    for (const { record, errors } of mapped) {
      const wanted = record[field.name];
      if (!Array.isArray(wanted)) continue;
      const ids = (wanted as string[]).flatMap((name) => {
        const one = found.get(name);
        if (one && 'id' in one) return [one.id];
        errors.push(one?.error ?? `${field.title} "${name}" is not known.`);
        return [];
      });
      record[field.name] = field.type === 'refs' ? ids : (ids[0] ?? null);
    }
  }
  return noneTwice(mapped);
}

/** Maps rows to rows of a collection: values as in the source. */
export function mapToCollection(job: SyncJob, rows: RawRow[]): Mapped[] {
  const mapped = rows.map(({ row, cells, faults }): Mapped => {
    const errors: string[] = [];
    const record = Object.fromEntries(
      job.mapping.map((mapping) => [mapping.target_field, stored(cellOf(mapping, cells, errors, faults))]),
    );
    return { row, cells, record, errors, key: keyOf(job, record) };
  });
  return noneTwice(mapped);
}

function cellOf(
  mapping: Mapping,
  cells: Record<string, unknown>,
  errors: string[],
  faults?: Record<string, string>,
): unknown {
  const fault = faults?.[mapping.source_column];
  if (fault !== undefined) {
    errors.push(`${mapping.source_column}: ${fault}`);
    return null;
  }
  let cell: unknown;
  try {
    cell = valueOf(mapping, cells);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    errors.push(`${mapping.source_column}: ${error.message}.`);
    return null;
  }
  if (cell === null && mapping.required === true) errors.push(`${mapping.source_column} is empty.`);
  return cell;
}

/** A day without a time is written as a day. */
function stored(cell: unknown): unknown {
  if (!(cell instanceof Date)) return cell;
  const text = cell.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
}

/** A row with a missing or duplicate key is invalid, because its record is ambiguous. */
function noneTwice(mapped: Mapped[]): Mapped[] {
  const seen = new Map<string, number>();
  for (const item of mapped) {
    if (item.key.replaceAll(' / ', '') === '') item.errors.push('The key is empty.');
    const before = seen.get(keyId(item.key));
    if (before !== undefined) item.errors.push(`Row ${before} has the same key.`);
    else seen.set(keyId(item.key), item.row);
  }
  return mapped;
}
