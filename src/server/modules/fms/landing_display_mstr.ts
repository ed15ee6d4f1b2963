import { Exact } from '../../../descriptor/exact.ts';
import { compileExpression } from '../../../descriptor/expression/compile_expression.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

const HINT = 'Compare "value" with a number, for example: value > 10.';

/** What is wrong with the condition of a colour; null = nothing. */
function wrongCondition(condition: string): string | null {
  try {
    const compiled = compileExpression(condition);
    const unknown = compiled.names.find((name) => name !== 'value');
    if (unknown !== undefined) return `"${unknown}" is not known here. ${HINT}`;
    return typeof compiled.evaluate({ value: new Exact(1) }) === 'boolean' ? null : `This is not a condition. ${HINT}`;
  } catch (error) {
    return `${(error as Error).message} ${HINT}`;
  }
}

/** Tiles of the home page: a condition that cannot be evaluated would never colour its tile. */
export default defineHooks({
  check(_session, record) {
    return ['warn_when', 'alarm_when'].flatMap((field) => {
      const condition = String(record[field] ?? '').trim();
      const message = condition === '' ? null : wrongCondition(condition);
      return message === null ? [] : [{ field, message }];
    });
  },
});
