import type { Field, Screen } from '../../../descriptor/types.ts';

/** Types whose value cannot be said in one cell: they are left out of sheets to import. */
const NOT_IN_A_CELL = new Set(['rows', 'image', 'file', 'signature', 'json']);

/**
 * The fields of a screen that a sheet can bring in, in the order of the form: what a form does not let people
 * change, a sheet does not either. An automatic number is among them: it tells which record a row means; a row
 * without one is a new record.
 */
export function importFields(screen: Screen): Field[] {
  return screen.fields.filter(
    (field) =>
      !NOT_IN_A_CELL.has(field.type) &&
      field.formula === undefined &&
      !field.secret &&
      (!field.readOnly || field.name === screen.number?.field),
  );
}

/** The head of a field's column: title, unit, and a star when it must be filled. */
export function head(field: Field): string {
  return `${field.title}${field.unit ? ` (${field.unit})` : ''}${field.required ? ' *' : ''}`;
}

/** Heads are compared without case, star, unit and doubled spaces, so that a tidied-up sheet still fits. */
function normal(text: string): string {
  return text
    .replace(/\([^)]*\)/g, ' ')
    .replace(/[*:_]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

export interface ColumnMap {
  /** Field of each column of the sheet; null = a column the product does not know. */
  columns: (Field | null)[];
  /** Heads nobody knows, for the warning. */
  unknown: string[];
  /** Required fields that no column brings. */
  missing: Field[];
}

/** Matches the head row of a sheet to the fields: by title, by title with unit, or by the field's own name. */
export function mapColumns(screen: Screen, heads: unknown[]): ColumnMap {
  const fields = importFields(screen);
  const byName = new Map<string, Field>();
  for (const field of fields) {
    byName.set(normal(field.name), field);
    byName.set(normal(field.name.replace(/_id$/, '')), field);
  }
  // Titles win over names where the two clash.
  for (const field of fields) byName.set(normal(field.title), field);
  const used = new Set<Field>();
  const unknown: string[] = [];
  const columns = heads.map((text) => {
    const name = typeof text === 'string' ? text : '';
    const field = byName.get(normal(name)) ?? null;
    if (field === null || used.has(field)) {
      if (name.trim() !== '') unknown.push(name.trim());
      return null;
    }
    used.add(field);
    return field;
  });
  return {
    columns,
    unknown,
    missing: fields.filter((field) => field.required && field.default === undefined && !used.has(field)),
  };
}
