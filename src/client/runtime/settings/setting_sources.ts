import { createContext } from 'react';
import { holds, scopeOf } from '../../../descriptor/validate.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Values } from '../form/values.ts';
import { sameValue } from '../form/values.ts';

/** What this server's own configuration makes of a setting. */
export interface ServerDecision {
  by: string;
  value?: unknown;
  max?: number;
}

/** What a company has settled for itself. */
export interface CompanySettings {
  entity_id: number;
  name: string;
  version: number;
  values: Values;
}

/** GET /tapi/<type>/single/sources. */
export interface SettingSources {
  server: Record<string, ServerDecision>;
  company: CompanySettings | null;
}

/** A form of settings, for the notes below its fields. */
export interface SettingsOfForm {
  server: Record<string, ServerDecision>;
  /** What holds where nothing else is chosen, and what that is called. */
  fallback: (field: Field) => { value: unknown; words: string };
  /** What a value is called that was chosen here. */
  own: string;
  /** What the company one works in has instead; only where the form is that of all companies. */
  company: CompanySettings | null;
  readOnly: boolean;
}

export const SettingsContext = createContext<SettingsOfForm | null>(null);

/** A setting that is less safe than it could be. */
export interface UnsafeSetting {
  field: Field;
  from: unknown;
  safe: unknown;
  effect: string;
}

/** The settings that are not safe; what the server decides counts as it decides it. */
export function unsafeSettings(
  screen: Screen,
  values: Values,
  server: Record<string, ServerDecision>,
): UnsafeSetting[] {
  const holding = { ...values };
  for (const [name, { value }] of Object.entries(server)) if (value !== undefined) holding[name] = value;
  const scope = scopeOf(screen.fields, holding);
  return screen.fields.flatMap((field) =>
    field.risk && holds(field.risk.when, scope)
      ? [{ field, from: holding[field.name], safe: field.risk.safe, effect: field.risk.effect }]
      : [],
  );
}

/** The fields that companies settle themselves, as a form of its own. */
export function companyScreen(screen: Screen): Screen {
  const fields = screen.fields.filter((field) => field.override === 'company');
  const there = new Set(fields.map(({ name }) => name));
  const sections = screen.form.tabs.flatMap((tab) =>
    tab.sections.flatMap((section) => {
      const names = section.fields.filter((name) => there.has(name));
      return names.length > 0 ? [{ ...section, fields: names }] : [];
    }),
  );
  return { ...screen, fields, form: { tabs: [{ title: screen.title, sections }] } };
}

/** Of a company's form, what is not as all companies have it: that is what the company settles itself. */
export function ownValues(fields: Field[], values: Values, shared: Values): Values {
  return Object.fromEntries(
    fields.flatMap((field) =>
      sameValue(field, values[field.name], shared[field.name]) ? [] : [[field.name, values[field.name]]],
    ),
  );
}
