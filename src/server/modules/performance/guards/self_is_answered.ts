import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';
import { rowsOf } from '../appraisal_facts.ts';
import { numberOf } from '../sheet_lines.ts';

/** A member submits when each competency has a self-rating and each required question an answer. */
export const selfIsAnswered: Guard = {
  check({ record }) {
    const errors: FieldError[] = [];
    if (rowsOf(record, 'competency_lines').some(({ self_level: own }) => numberOf(own) === null))
      errors.push({ field: 'competency_lines', message: 'Rate yourself in each competency.' });
    for (const { question, asked_of: of, needed, self_answer: answer } of rowsOf(record, 'answers'))
      if (needed === true && of !== 'manager' && numberOf(answer) === null)
        errors.push({ field: 'answers', message: `Answer the question: ${String(question)}` });
    return Promise.resolve(errors);
  },
};
