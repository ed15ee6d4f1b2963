import type { ScreenCheck } from '../check_context.ts';
import type { Path } from './word.ts';
import type { Field } from '../types.ts';

/** A word that lists fields: each must exist, occur once, not be secret and satisfy `fits`. */
export function checkFieldList(
  check: ScreenCheck,
  word: string,
  list: string[] | undefined,
  known: ReadonlySet<string>,
  fits?: (field: Field, path: Path) => void,
): void {
  list?.forEach((name, index) => {
    const path = [word, index];
    const field = check.field(name);
    if (!known.has(name)) check.unknown(path, name, known, `"${word}"`);
    else if (list.indexOf(name) < index)
      check.report(path, `"${name}" stands twice in "${word}".`, 'Leave one of them out.');
    else if (field?.secret)
      check.report(path, `"${name}" is secret and cannot stand in "${word}".`, 'Choose another field.');
    else if (field) fits?.(field, path);
  });
}
