import type { ScreenCheck } from '../check_context.ts';
import type { Screen } from '../types.ts';
import type { Path } from './word.ts';

/** A type below another one, and its reference to it. */
export interface Level {
  type: string;
  parent: string;
}

/**
 * Checks types that form levels, each with a reference to the one before it. `what`: what they form; `wrong`: further
 * requirements for a type, reported as path, message and hint.
 */
export function checkLevels(
  check: ScreenCheck,
  levels: readonly Level[],
  path: Path,
  what: string,
  wrong: (level: Screen, above: Screen, at: Path) => void,
): void {
  let above = check.screen;
  for (const { type, parent } of levels) {
    const at = [...path, type];
    const level = check.type(type, at);
    if (!level) return;
    const field = level.fields.find(({ name }) => name === parent);
    if (!field)
      check.unknown(
        at,
        parent,
        level.fields.map(({ name }) => name),
        `the ${what} (a field of ${type})`,
      );
    else if (field.type !== 'ref' || field.ref?.type !== above.name)
      check.report(
        at,
        `"${parent}" of ${type} does not refer to ${above.name}.`,
        `Choose a field with "x-ref": "${above.name}".`,
      );
    wrong(level, above, at);
    above = level;
  }
}
