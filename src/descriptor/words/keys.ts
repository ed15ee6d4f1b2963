import type { ScreenCheck } from '../check_context.ts';
import { fieldType } from '../fieldtypes/registry.ts';
import { parseFilter } from '../filter.ts';
import { KEY_OPERATORS, keyConditions } from '../key_condition.ts';
import type { Path } from './word.ts';
import type { ConditionalKey, Descriptor, FilterExpression, WrittenKey } from '../types.ts';
import { humanise } from '../humanise.ts';
import { IS_CURRENT } from '../workflow.ts';

type WrittenKeys = (string[] | WrittenKey)[];

export const plainKeys = (keys: WrittenKeys = []): string[][] =>
  keys.filter((key): key is string[] => Array.isArray(key));

export const conditionalKeys = (keys: WrittenKeys = [], emptyEqual: boolean): ConditionalKey[] =>
  keys.flatMap((key) => (Array.isArray(key) ? [] : [{ ...key, emptyEqual }]));

/** Whether records of a type have revisions. */
export const hasRevisions = (workflow: Descriptor['workflow']): boolean =>
  Object.values(workflow?.transitions ?? {}).some(({ amend }) => amend !== undefined);

/** A filter that matches only the current revision of a record. */
export const currentOnly = (when?: FilterExpression): FilterExpression =>
  (when ? ['and', [IS_CURRENT, 'eq', true], when] : [IS_CURRENT, 'eq', true]) as FilterExpression;

/** Keys limited to current revisions. */
export const currentKeys = (keys: WrittenKeys = [], emptyEqual: boolean): ConditionalKey[] =>
  keys.map((written) =>
    Array.isArray(written)
      ? {
          key: written,
          when: currentOnly(),
          emptyEqual,
          message: `Another one has the same ${written.map((name) => humanise(name).toLowerCase()).join(' and ')}.`,
        }
      : { ...written, when: currentOnly(written.when), emptyEqual },
  );

/** Keys of records: each field must exist and have one short value. */
export function checkKeys(check: ScreenCheck, word: string, keys: WrittenKeys = []): void {
  keys.forEach((written, at) => {
    const within = Array.isArray(written) ? [word, at] : [word, at, 'key'];
    if (!Array.isArray(written)) checkKeyCondition(check, written.when, [word, at, 'when']);
    const key = Array.isArray(written) ? written : written.key;
    key.forEach((name, index) => {
      const field = check.field(name);
      if (!field) check.unknown([...within, index], name, check.names, `"${word}"`);
      else if (field.encrypted)
        check.report(
          [...within, index],
          `"${name}" cannot be part of a key: it is encrypted, each time differently.`,
          'Choose another field.',
        );
      else if (!fieldType(field.type).can.key)
        check.report(
          [...within, index],
          `"${name}" cannot be part of a key: it is of type ${field.type}.`,
          'Choose a field with one short value.',
        );
    });
  });
}

/** The condition of a key: the database evaluates it from the row alone, with immutable values. */
export function checkKeyCondition(check: ScreenCheck, when: FilterExpression, at: Path): void {
  const parsed = parseFilter(when, check.screen);
  if ('error' in parsed) check.report(at, parsed.error, 'Write for instance ["is_default", "eq", true].');
  else
    for (const [name, operator] of keyConditions(when)) {
      const field = check.field(name);
      if (!KEY_OPERATORS.includes(operator) || !field || !fieldType(field.type).can.key)
        check.report(
          at,
          `The condition of a key cannot ask whether "${name}" is "${operator}".`,
          `Compare a field of the record, by one of ${KEY_OPERATORS.join(', ')}.`,
        );
    }
}
