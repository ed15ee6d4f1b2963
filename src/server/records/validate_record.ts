import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { checkRules, cleanRecord, fieldErrors, isShown, recompute, semanticErrors } from '../../descriptor/validate.ts';
import { productScreen, settingErrors } from '../../descriptor/overlay.ts';
import type { FieldSetting } from '../../descriptor/setting_fields.ts';
import type { SchemaError } from '../../descriptor/validate.ts';
import type { FieldError, Screen } from '../../descriptor/types.ts';
import { changeOf } from './history.ts';
import { withCleanTexts } from './rich_text.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true, addUsedSchema: false });
(addFormats as unknown as (instance: Ajv2020) => void)(ajv);
const compiled = new WeakMap<Screen, ValidateFunction>();

/** The check of a screen's JSON Schema, compiled on first use and kept as long as the screen. */
function validator(screen: Screen): ValidateFunction {
  let check = compiled.get(screen);
  if (!check) {
    const { $id: _id, ...schema } = screen.schema;
    check = ajv.compile(schema);
    compiled.set(screen, check);
  }
  return check;
}

/** Tidies input and fills what the server computes (`own`: what of a new record names whoever adds it); the findings are those of single values and unknown names. */
export function prepare(
  screen: Screen,
  input: Record<string, unknown>,
  stored: Record<string, unknown> | null,
  own: Record<string, unknown> = {},
): { record: Record<string, unknown>; errors: FieldError[] } {
  const { record: clean, errors } = cleanRecord(screen, input);
  const given = withCleanTexts(screen, clean);
  const record: Record<string, unknown> = {};
  for (const field of screen.fields) {
    const name = field.name;
    if (name === screen.number?.field) {
      if (stored) record[name] = stored[name] ?? null;
      continue;
    }
    if (field.keptFrom && name in given && name in changeOf({ fields: [field] }, stored, given))
      errors.push({ field: name, message: `Your roles let you read ${field.title}, not change it. Leave it out.` });
    if (name in given && !(field.readOnly && field.formula === undefined)) record[name] = given[name];
    else if (stored && name in stored) record[name] = stored[name];
    else if (!stored && name in own) record[name] = own[name];
    else if (!stored && field.default !== undefined) record[name] = structuredClone(field.default);
    else record[name] = field.rows ? [] : null;
  }
  if (!stored) Object.assign(record, presets(screen));
  return { record: recompute(screen, record), errors };
}

/** What new records have in fields that a client has taken away and that cannot be empty. */
export function presets(screen: Screen): Record<string, unknown> {
  return Object.fromEntries((screen.preset ?? []).map(({ name, default: value }) => [name, structuredClone(value)]));
}

/** Findings of schema, rules and values, all at once; those on hidden fields do not count. */
export function findErrors(screen: Screen, record: Record<string, unknown>): FieldError[] {
  const check = validator(screen);
  const bare = withoutNulls(record);
  const found = check(bare) ? [] : fieldErrors(screen, check.errors as SchemaError[]);
  const named = new Set(found.map((error) => error.field));
  for (const error of [...semanticErrors(screen, record), ...checkRules(screen, record)])
    if (!named.has(error.field) || error.field === '') found.push(error);
  return found.filter((error) => {
    const field = screen.fields.find((one) => one.name === error.field.split('.')[0]);
    return field === undefined || isShown(screen, field, record);
  });
}

/** Of a record that says how a field of another type looks: what that type does not allow. */
export function findSettingErrors(
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  record: Record<string, unknown>,
): FieldError[] {
  const target = screen.overlay && screens.get(screen.overlay.type);
  return target && record.active !== false
    ? settingErrors(productScreen(target), screen.overlay!.types, record as FieldSetting)
    : [];
}

/** Texts with the one character that PostgreSQL cannot store; nothing else may be asked of the database with them. */
export function unstorable(screen: Screen, record: Record<string, unknown>): FieldError[] {
  return screen.fields
    .filter((field) => holdsNul(record[field.name]))
    .map((field) => ({ field: field.name, message: `${field.title} holds a character that cannot be stored.` }));
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return (
    value !== null &&
    typeof value === 'object' &&
    Object.entries(value).some(([name, item]) => name.includes('\0') || holdsNul(item))
  );
}

/** A required field that is null is missing, as people see it. */
function withoutNulls(record: Record<string, unknown>): Record<string, unknown> {
  const filled: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    if (value === null || value === undefined) continue;
    filled[name] = Array.isArray(value)
      ? value.map((item: unknown) =>
          item !== null && typeof item === 'object' && !Array.isArray(item)
            ? withoutNulls(item as Record<string, unknown>)
            : item,
        )
      : value;
  }
  return filled;
}
