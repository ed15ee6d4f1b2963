import { screenHash } from './compile.ts';
import { objectSchema } from './fields.ts';
import { settingConditions } from './setting_condition.ts';
import type { Field, Screen, SettingCondition } from './types.ts';

/** The screen for a client with these settings; the product's own screen if no setting changes it. */
export function bySettings(product: Screen, holds: (condition: SettingCondition) => boolean): Screen {
  if (!settingConditions(product).some(holds)) return product;
  const number =
    product.numberWhen && holds(product.numberWhen.when)
      ? { field: product.numberWhen.field, pattern: product.numberWhen.pattern, mixed: true as const }
      : undefined;
  const changed = (field: Field): Field => ({
    ...field,
    ...(number?.field === field.name && { readOnly: true }),
    ...(field.ref?.acrossWhen && holds(field.ref.acrossWhen) && { ref: { ...field.ref, acrossCompanies: true } }),
    ...(field.rows && { rows: field.rows.map(changed) }),
  });
  const fields = product.fields.map(changed);
  const { properties: _properties, required: _required, ...conditions } = product.schema;
  const screen: Screen = {
    ...product,
    schema: { ...conditions, ...objectSchema(fields, false) },
    fields,
    ...(number && { number }),
  };
  screen.hash = screenHash(screen);
  return screen;
}
