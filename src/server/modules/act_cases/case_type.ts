import { ExpressionSyntaxError, compileExpression } from '../../../descriptor/expression/compile_expression.ts';
import type { FieldError } from '../../../descriptor/types.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

type Row = Readonly<Record<string, unknown>>;

/** Why a condition is not an expression, with the place where it stops being one; null = it is. */
function faultOf(condition: unknown): string | null {
  if (typeof condition !== 'string' || condition.trim() === '') return null;
  try {
    compileExpression(condition);
    return null;
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return error.message;
    throw error;
  }
}

/** Pauses after steps that the step does not wait for. */
function uselessPauses(record: Row): FieldError[] {
  const waits = new Map(
    ((record.steps as Row[] | null | undefined) ?? []).map(({ code, after }) => [
      code,
      (after as string[] | null) ?? [],
    ]),
  );
  return ((record.pauses as { step: string; after: string }[] | null | undefined) ?? []).flatMap(({ step, after }) =>
    waits.get(step)?.includes(after)
      ? []
      : [
          {
            field: 'pauses',
            message: `Step ${step} does not wait for ${after}. Correct the pause, or what the step waits for.`,
          },
        ],
  );
}

/** A condition with a mistake would keep every case of the type from starting. */
export default defineHooks({
  check(_session, record) {
    const errors: FieldError[] = [];
    const check = (field: 'stages' | 'steps' | 'on_close_set', title: string, column: string, name = 'code') => {
      for (const row of (record[field] as Row[] | null | undefined) ?? []) {
        const fault = faultOf(row[column]);
        if (fault !== null) errors.push({ field, message: `${title} ${String(row[name])}: ${fault}` });
      }
    };
    check('stages', 'Stage', 'entry_condition');
    check('steps', 'Step', 'condition');
    check('on_close_set', 'Field', 'value', 'field');
    return [...errors, ...uselessPauses(record)];
  },
});
