import type { Field, Screen, SettingCondition } from './types.ts';

/**
 * `{ "configuration.employee_number": "automatic" }`: the required value of a client setting. Null = not in this form.
 */
export function settingCondition(written: Record<string, string | number | boolean>): SettingCondition | null {
  const [first] = Object.entries(written);
  const [type, field, ...more] = first?.[0].split('.') ?? [];
  return first && type && field && more.length === 0 ? { type, field, is: first[1] } : null;
}

/** All settings that a screen depends on. */
export function settingConditions(screen: Screen): SettingCondition[] {
  const fields = screen.fields.flatMap((field): Field[] => [field, ...(field.rows ?? [])]);
  return [
    ...(screen.numberWhen ? [screen.numberWhen.when] : []),
    ...fields.flatMap((field) => field.ref?.acrossWhen ?? []),
  ];
}
