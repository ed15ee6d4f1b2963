import { createContext } from 'react';
import { holds, scopeOf } from '../../../descriptor/validate.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Values } from '../form/values.ts';
import { sameValue } from '../form/values.ts';

/** How the configuration of this server affects a setting. */
export interface ServerDecision {
  by: string;
  value?: unknown;
  max?: number;
}

/** A company's own values. */
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

/** A settings form, for the notes below its fields. */
export interface SettingsOfForm {
  server: Record<string, ServerDecision>;
  /** The value that applies by default, and its label. */
  fallback: (field: Field) => { value: unknown; words: string };
  /** The label of a value chosen here. */
  own: string;
  /** The current company's own value; only if the form is for all companies. */
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

/** The settings that are not safe; values decided by the server count as decided. */
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

/** The fields that companies can set, as a separate form. */
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

/** In a company's form, the differences from the shared values: these are the company's own. */
export function ownValues(fields: Field[], values: Values, shared: Values): Values {
  return Object.fromEntries(
    fields.flatMap((field) =>
      sameValue(field, values[field.name], shared[field.name]) ? [] : [[field.name, values[field.name]]],
    ),
  );
}
