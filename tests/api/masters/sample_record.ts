import type { Field, Screen } from '../../../src/descriptor/types.ts';

type Row = Record<string, unknown>;

const DIGITS = '97314286';

/** Values that a pattern may want, from the usual to the odd. */
function candidates(n: number, min: number, max: number): string[] {
  const digits = Array.from({ length: 12 }, (_, at) => `${DIGITS}${String(n).padStart(4, '0')}`.slice(0, at + 1));
  const letters = ['ZT', 'QZ', 'ZTQ', 'ZTQX', 'ZTQXW', 'TEST'].flatMap((text) => [
    text,
    text.toLowerCase(),
    `${text}${n}`,
    `${text.toLowerCase()}${n}`,
    `${text}_${n}`,
    `SCN_${text}${n}`,
    `/${text.toLowerCase()}${n}`,
    `${text}-${n}`,
    `${text}${String(n).padStart(4, '0')}`,
  ]);
  return [...letters, ...digits.reverse()].filter((text) => text.length >= min && text.length <= max);
}

/** A value of the field that nothing in the demo company has. */
export function freshValue(field: Field, n: number): unknown {
  const {
    pattern,
    minLength = 0,
    maxLength = 60,
    minimum = 0,
    maximum = 1_000_000,
  } = field.schema as { pattern?: string; minLength?: number; maxLength?: number; minimum?: number; maximum?: number };
  const written = ['code', 'name', 'text', 'long_text', 'gstin', 'pan', 'ifsc', 'pincode'].includes(field.type);
  if (pattern !== undefined && written)
    return candidates(n, minLength, maxLength).find((text) => new RegExp(pattern, 'u').test(text));
  switch (field.type) {
    case 'code':
      return `ZT${n}`.slice(0, maxLength);
    case 'name':
    case 'text':
    case 'long_text':
    case 'rich_text':
      return (maxLength < 8 ? `T${n}` : `Test entry ${n}`).slice(0, maxLength);
    case 'integer':
    case 'rating':
    case 'duration':
      return Math.max(minimum, Math.min(maximum, maximum > 5_000 ? 4_000 + n : maximum - n));
    case 'money':
    case 'decimal':
    case 'quantity':
    case 'percent':
      return String(Math.max(minimum, Math.min(maximum, 1 + n)));
    case 'date':
      return `2091-${String((n % 12) + 1).padStart(2, '0')}-01`;
    case 'datetime':
      return `2091-${String((n % 12) + 1).padStart(2, '0')}-01T10:00:00+05:30`;
    case 'month':
      return `2091-${String((n % 12) + 1).padStart(2, '0')}`;
    case 'financial_year':
      return `${2080 + n}-${2081 + n}`;
    case 'time':
      return `11:${String(n % 60).padStart(2, '0')}`;
    case 'email':
      return `test.entry.${n}@acmelifts.in`;
    case 'phone':
      return `+9198400${String(10_000 + n).slice(-5)}`;
    case 'url':
      return `https://example.in/${n}`;
    case 'colour':
      return '#0f6cbd';
    case 'boolean':
      return true;
    case 'tags':
      return ['test'];
    case 'enum':
      return field.options?.[n % field.options.length]?.value;
    default:
      return undefined;
  }
}

/** Fields of a record as a form sends them: no labels, no system columns. */
function asSent(screen: Screen, record: Row): Row {
  const sent: Row = {};
  for (const field of screen.fields) {
    if (
      !(field.name in record) ||
      field.formula !== undefined ||
      field.readOnly ||
      field.name === screen.number?.field ||
      field.secret
    )
      continue;
    const value = record[field.name];
    sent[field.name] =
      field.rows && Array.isArray(value)
        ? (value as Row[]).map((row) =>
            Object.fromEntries(
              field
                .rows!.filter(
                  (column) => column.name in row && column.formula === undefined && !column.readOnly && !column.secret,
                )
                .map((column) => [column.name, row[column.name]]),
            ),
          )
        : value;
  }
  return sent;
}

/** Another registration of the same person in the same state; the last letter checks the others. */
function otherGstin(gstin: string, n: number): string {
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const first = `${gstin.slice(0, 12)}${2 + (n % 7)}${gstin.slice(13, 14)}`;
  const sum = [...first].reduce((all, letter, at) => {
    const product = letters.indexOf(letter) * (at % 2 === 0 ? 1 : 2);
    return all + Math.floor(product / 36) + (product % 36);
  }, 0);
  return `${first}${letters[(36 - (sum % 36)) % 36]}`;
}

/** A new record after the model of one: every key differs. */
export function newRecord(screen: Screen, model: Row, n: number): Row {
  const record = asSent(screen, model);
  const field = (name: string) => screen.fields.find((one) => one.name === name)!;
  for (const key of screen.unique) {
    const own = key
      .map(field)
      .filter((one) => one.name !== screen.number?.field && one.formula === undefined && !one.readOnly);
    const changed =
      own.find((one) => ['code', 'name', 'text', 'email', 'long_text'].includes(one.type)) ??
      own.find((one) =>
        [
          'date',
          'integer',
          'month',
          'financial_year',
          'phone',
          'decimal',
          'quantity',
          'money',
          'percent',
          'datetime',
        ].includes(one.type),
      );
    if (changed) record[changed.name] = freshValue(changed, n);
    else for (const one of own) if (!one.required && one.ref) record[one.name] = null;
  }
  for (const range of screen.ranges ?? []) {
    if (range.rows !== undefined || range.word !== 'valid') continue;
    // Long past: many records hold until further notice.
    record[range.from] = `19${60 + (n % 9)}-04-01`;
    if (screen.fields.some(({ name }) => name === range.to)) record[range.to] = `19${61 + (n % 9)}-03-31`;
    const year = screen.fields.find(({ type }) => type === 'financial_year');
    if (year) record[year.name] = `19${60 + (n % 9)}-19${61 + (n % 9)}`;
  }
  for (const one of screen.fields)
    for (const column of one.rows ?? [])
      if (column.type === 'gstin')
        for (const row of (record[one.name] ?? []) as Row[]) row[column.name] = otherGstin(String(row[column.name]), n);
  for (const one of screen.fields) {
    const empty = record[one.name] === undefined || record[one.name] === null || record[one.name] === '';
    if (
      one.required &&
      empty &&
      one.formula === undefined &&
      !one.readOnly &&
      one.default === undefined &&
      one.name !== screen.number?.field &&
      !one.rows
    )
      record[one.name] = freshValue(one, n);
    if (one.secret && one.required) record[one.name] = 'a-secret-of-the-test';
  }
  return record;
}

/** Fields that a person may change without touching a key, the harmless ones first. */
export function changeable(screen: Screen): Field[] {
  const keys = new Set([
    ...screen.unique.flat(),
    ...(screen.ranges ?? []).flatMap(({ from, to, key }) => [from, to, ...key]),
    screen.number?.field,
    screen.tree?.parent,
  ]);
  const order = [
    'long_text',
    'rich_text',
    'text',
    'name',
    'boolean',
    'integer',
    'phone',
    'email',
    'url',
    'money',
    'decimal',
    'quantity',
    'percent',
    'date',
    'enum',
    'colour',
    'tags',
    'code',
  ];
  return screen.fields
    .filter(
      (one) =>
        !keys.has(one.name) &&
        one.formula === undefined &&
        !one.readOnly &&
        !one.secret &&
        one.when === undefined &&
        order.includes(one.type),
    )
    .sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type));
}
