import type { Screen } from '../../../descriptor/types.ts';
import { currentSession } from '../../app/session.ts';
import type { Values } from './values.ts';
import { isChanged } from './values.ts';

export interface KeptDraft {
  /** When it was typed, ISO. */
  at: string;
  /** The record's version at that time; a newer one is merged on saving. */
  version: number;
  /** Changed fields with their labels. */
  values: Record<string, unknown>;
}

function key(type: string, id: string | undefined): string {
  const { userId, entityId } = currentSession();
  return `form_draft.${userId}.${entityId ?? 0}.${type}.${id ?? 'new'}`;
}

/** Unsaved values, stored in this browser for this person, company and record. */
export function readDraft(screen: Screen, id: string | undefined): KeptDraft | null {
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(key(screen.name, id)) ?? 'null');
    if (draft === null || typeof draft !== 'object' || !('values' in draft) || !('at' in draft)) return null;
    const { at, values, version } = draft as KeptDraft;
    const known = new Set(screen.fields.flatMap(({ name }) => [name, `${name}__label`]));
    const kept = Object.fromEntries(Object.entries(values).filter(([name]) => known.has(name)));
    return Object.keys(kept).length === 0 ? null : { at, version, values: kept };
  } catch {
    return null;
  }
}

/** Stores the differences from the record; secrets are never stored in the browser. */
export function keepDraft(screen: Screen, id: string | undefined, values: Values, base: Values): void {
  const changed = screen.fields.filter((field) => !field.readOnly && !field.secret && isChanged(field, values, base));
  if (changed.length === 0) {
    dropDraft(screen, id);
    return;
  }
  const kept: Record<string, unknown> = {};
  for (const { name, rows } of changed) {
    const secrets = rows?.filter((column) => column.secret).map((column) => column.name) ?? [];
    const value = values[name];
    kept[name] =
      Array.isArray(value) && secrets.length > 0
        ? value.map((row: Values) =>
            Object.fromEntries(Object.entries(row).filter(([column]) => !secrets.includes(column))),
          )
        : value;
    if (`${name}__label` in values) kept[`${name}__label`] = values[`${name}__label`];
  }
  const draft: KeptDraft = {
    at: new Date().toISOString(),
    version: typeof base.version === 'number' ? base.version : 0,
    values: kept,
  };
  try {
    localStorage.setItem(key(screen.name, id), JSON.stringify(draft));
  } catch {
    // If storage is full, the draft is lost, not the form.
  }
}

export function dropDraft(screen: Screen, id: string | undefined): void {
  try {
    localStorage.removeItem(key(screen.name, id));
  } catch {
    // Nothing was kept.
  }
}

/** "10:15" for today, otherwise with the date. */
export function draftTime(at: string, now = new Date()): string {
  const date = new Date(at);
  const time = `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
  if (date.toDateString() === now.toDateString()) return time;
  return `${String(date.getDate()).padStart(2, '0')}-${String(date.getMonth() + 1).padStart(2, '0')}-${date.getFullYear()} ${time}`;
}
