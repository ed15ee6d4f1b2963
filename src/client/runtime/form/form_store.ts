import { compileExpression } from '../../../descriptor/expression/compile_expression.ts';
import { atRecord } from '../../../descriptor/place.ts';
import type { FieldError, Screen } from '../../../descriptor/types.ts';
import { composedDefaults, defaultValue } from '../../../descriptor/default_values.ts';
import type { Layer } from '../../../descriptor/expression/scope.ts';
import { hasHeldFields, heldFields } from '../../../descriptor/held_fields.ts';
import { hasFormulas, holds, isOutOfSight, recompute, scopeOf } from '../../../descriptor/validate.ts';
import { findErrors } from './find_errors.ts';
import type { SchemaCheck } from './validator.ts';
import type { Values } from './values.ts';
import { isChanged, isEmpty } from './values.ts';

/** One field's view of the form state. */
export interface FieldState {
  /** The error; shown after the field was left or the form submitted. */
  message: string | undefined;
  shown: boolean;
  required: boolean;
  changed: boolean;
  /** Locked: its "x-readonly" condition holds, or the field may be entered only once and has a value. */
  held: boolean;
}

export interface FormStore {
  screen: Screen;
  values: () => Values;
  /** The record as it was read. */
  base: () => Values;
  set: (patch: Values) => void;
  /** Starts again from a record, e.g. after saving. */
  reset: (base: Values, values?: Values) => void;
  /** The stored record and its computed values changed: typed values are kept. */
  rebase: (base: Values, patch: Values) => void;
  subscribe: (listener: () => void) => () => void;
  dirty: () => boolean;
  field: (name: string) => FieldState;
  /** Fields and cells (`lines.2.rate`) that are currently locked. */
  held: () => ReadonlySet<string>;
  /** The current messages by path. */
  messages: () => ReadonlyMap<string, string>;
  /** Invalid text in a control. */
  problem: (name: string, message: string | null) => void;
  /** The person left the field. */
  touch: (name: string) => void;
  /** Validates everything and shows the errors; true = none. */
  check: () => boolean;
  /** Validates these fields and shows their errors; returns the names of the invalid ones. */
  checkOnly: (names: readonly string[]) => string[];
  /** Fields that the server fills when the record reaches it: until then they may be empty. */
  filledLater: (names: ReadonlySet<string>) => void;
  /** The server's findings; each is removed when its field changes. */
  refuse: (errors: FieldError[]) => void;
  useCheck: (check: SchemaCheck) => void;
  /** Fields used by a condition of the schema (if, dependencies): when they change, the fields are rendered again. */
  conditions: ReadonlySet<string>;
}

/**
 * The values of one form and their state. Fields subscribe to their own part, so that a change renders one field and
 * not the form.
 */
export function createFormStore(screen: Screen, base: Values, start: Values = base): FormStore {
  const byName = new Map(screen.fields.map((field) => [field.name, field]));
  const watched = screen.fields.filter((field) => field.when !== undefined || field.requiredWhen !== undefined);
  const needs = new Set(
    watched.flatMap((field) => [field.when, field.requiredWhen].flatMap((source) => (source ? namesOf(source) : []))),
  );
  const computed = hasFormulas(screen);
  const listeners = new Set<() => void>();
  let saved: Values = base;
  let values: Values = computed ? recompute(screen, { ...start }) : start;
  const holding = hasHeldFields(screen);
  let held: ReadonlySet<string> = new Set();
  let found: ReadonlyMap<string, string> = new Map();
  let refused: ReadonlyMap<string, string> = new Map();
  let problems: ReadonlyMap<string, string> = new Map();
  let touched: ReadonlySet<string> = new Set();
  let all = false;
  let later: ReadonlySet<string> = new Set();
  let schemaCheck: SchemaCheck = () => [];
  let shown = new Map<string, boolean>();
  let required = new Map<string, boolean>();
  let messages: ReadonlyMap<string, string> | null = null;
  const states = new Map<string, FieldState>();

  const notifySubscribers = () => {
    messages = null;
    for (const listener of Array.from(listeners)) listener();
  };
  // A field that becomes locked gets its previous value back: otherwise it could not be saved.
  const composed = typeof base.id === 'number' ? null : (composedDefaults(screen)?.fields ?? null);
  /** The last results of defaults that depend on other fields: a value that differs was entered by the person. */
  const given = new Map<string, unknown>();
  const compose = () => {
    if (!composed || typeof saved.id === 'number') return;
    for (const field of composed) {
      const now = values[field.name] ?? null;
      if (now !== (given.get(field.name) ?? null)) continue;
      const layers: [Layer] = [{ fields: screen.fields, record: values }];
      const value = atRecord(values, () => defaultValue(field, layers)) ?? null;
      given.set(field.name, value);
      if (value === now) continue;
      const next = { ...values, [field.name]: value };
      values = computed ? recompute(screen, next) : next;
    }
  };
  const hold = () => {
    if (!holding) return;
    const found = heldFields(screen, { ...values }, { ...saved }, typeof saved.id !== 'number');
    held = found.paths;
    if (Object.keys(found.record).some((name) => found.record[name] !== values[name]))
      values = computed ? recompute(screen, found.record) : found.record;
  };
  const decide = () => {
    compose();
    hold();
    if (watched.length === 0) return;
    const scope = scopeOf(screen.fields, { ...values });
    shown = new Map(watched.map((field) => [field.name, field.when === undefined || holds(field.when, scope)]));
    required = new Map(
      watched.map((field) => [field.name, field.requiredWhen !== undefined && holds(field.requiredWhen, scope)]),
    );
  };
  const isInForm = (name: string) => {
    const field = byName.get(name);
    return (shown.get(name) ?? true) && !(field?.visible !== undefined && isOutOfSight(screen, field, { ...values }));
  };
  const find = () => {
    const errors = findErrors(screen, values, schemaCheck, isInForm);
    for (const name of later) if (isEmpty(values[name])) errors.delete(name);
    found = errors;
  };
  const visible = (path: string) => all || touched.has(path.split('.')[0] ?? '');
  const shownMessages = () => {
    if (messages) return messages;
    const merged = new Map<string, string>();
    for (const [path, message] of found) if (visible(path)) merged.set(path, message);
    for (const [path, message] of refused) merged.set(path, message);
    for (const [path, message] of problems) merged.set(path, message);
    messages = merged;
    return merged;
  };
  decide();

  return {
    screen,
    conditions: conditionNames(screen),
    values: () => values,
    base: () => saved,
    set(patch) {
      const before = values;
      const next = { ...values, ...patch };
      const changed = Object.keys(patch).filter((name) => before[name] !== next[name]);
      if (changed.length === 0) return;
      values = computed ? recompute(screen, next, { before: { ...before } }) : next;
      if (composed || holding || changed.some((name) => needs.has(name)) || (computed && needs.size > 0)) decide();
      if (refused.size > 0) refused = without(refused, changed);
      // An error shown disappears as soon as it is corrected.
      if (all || changed.some((name) => touched.has(name))) find();
      notifySubscribers();
    },
    reset(next, from = next) {
      saved = next;
      values = computed ? recompute(screen, { ...from }) : from;
      found = new Map();
      refused = new Map();
      problems = new Map();
      touched = new Set();
      all = false;
      decide();
      notifySubscribers();
    },
    rebase(next, patch) {
      saved = { ...saved, ...next };
      const before = values;
      values = { ...values, ...patch };
      if (computed) values = recompute(screen, values, { before });
      decide();
      notifySubscribers();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    dirty: () => problems.size > 0 || screen.fields.some((field) => !field.readOnly && isChanged(field, values, saved)),
    held: () => held,
    field(name) {
      const field = byName.get(name);
      const next: FieldState = {
        message: field?.rows
          ? shownMessages().get(name)
          : (shownMessages().get(name) ?? firstBelow(shownMessages(), name)),
        shown: isInForm(name),
        required: !later.has(name) && (field?.required === true || (required.get(name) ?? false)),
        changed: field !== undefined && !field.readOnly && isChanged(field, values, saved),
        held: held.has(name),
      };
      const before = states.get(name);
      if (
        before &&
        before.message === next.message &&
        before.shown === next.shown &&
        before.required === next.required &&
        before.changed === next.changed &&
        before.held === next.held
      )
        return before;
      states.set(name, next);
      return next;
    },
    messages: shownMessages,
    problem(name, message) {
      if ((problems.get(name) ?? null) === message) return;
      const next = new Map(problems);
      if (message === null) next.delete(name);
      else next.set(name, message);
      problems = next;
      notifySubscribers();
    },
    touch(name) {
      if (!touched.has(name)) touched = new Set(touched).add(name);
      const before = found;
      find();
      if (before.size > 0 || found.size > 0) notifySubscribers();
    },
    check() {
      all = true;
      find();
      notifySubscribers();
      return found.size === 0 && problems.size === 0;
    },
    checkOnly(names) {
      touched = new Set([...touched, ...names]);
      find();
      notifySubscribers();
      const wrong = new Set([...shownMessages().keys()].map((path) => path.split('.')[0] ?? ''));
      return names.filter((name) => wrong.has(name));
    },
    refuse(errors) {
      refused = new Map(errors.map(({ field, message }) => [field, message]));
      notifySubscribers();
    },
    filledLater(names) {
      if (names.size === later.size) return;
      later = names;
      if (all || touched.size > 0) find();
      notifySubscribers();
    },
    useCheck(check) {
      schemaCheck = check;
      if (all || touched.size > 0) {
        find();
        notifySubscribers();
      }
    },
  };
}

/** Messages except those of fields that have changed since. */
function without(messages: ReadonlyMap<string, string>, changed: string[]): Map<string, string> {
  const gone = new Set(changed);
  return new Map([...messages].filter(([path]) => !gone.has(path.split('.')[0] ?? '')));
}

/** Messages of "geo.lat" appear at "geo". */
function firstBelow(messages: ReadonlyMap<string, string>, name: string): string | undefined {
  for (const [path, message] of messages) if (path.startsWith(`${name}.`)) return message;
  return undefined;
}

function namesOf(source: string): string[] {
  return compileExpression(source).names.map((name) => name.split('.')[0] ?? name);
}

/** The fields used by the conditions of a JSON Schema. */
function conditionNames(screen: Screen): Set<string> {
  const names = new Set<string>();
  const own = new Set(screen.fields.map((field) => field.name));
  const collect = (schema: unknown): void => {
    if (schema === null || typeof schema !== 'object') return;
    for (const [key, value] of Object.entries(schema)) {
      if (own.has(key)) names.add(key);
      else if (Array.isArray(value))
        for (const one of value) if (typeof one === 'string' && own.has(one)) names.add(one);
      collect(value);
    }
  };
  const { properties: _fields, required: _required, ...conditions } = screen.schema;
  collect(conditions);
  return names;
}
