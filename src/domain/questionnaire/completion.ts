import { courseOf } from './course.ts';
import type { Course, Respondent } from './course.ts';
import { faultsOf } from './faults.ts';
import type { Fault } from './faults.ts';
import type { Answer, Answers, Questionnaire } from './question.ts';
import { scoreOf } from './score.ts';

/** The result of submitting answers. */
export interface Completion {
  /** Answers to visible questions, including computed ones. */
  kept: Record<string, Answer>;
  /** Answers to hidden questions: they are removed. */
  dropped: string[];
  faults: Fault[];
  /** Null: nothing counts. */
  score: string | null;
  end: Course['end'];
}

/** Validates all answers on submission; the server and the browser get the same result. */
export function complete(questionnaire: Questionnaire, answers: Answers, respondent: Respondent): Completion {
  const course = courseOf(questionnaire, answers, respondent);
  const kept: Record<string, Answer> = {};
  for (const { key, value, na } of course.asked)
    if (na || (value !== null && value !== undefined)) kept[key] = { value: na ? null : value, ...(na && { na }) };
  return {
    kept,
    dropped: Object.keys(answers).filter((key) => !Object.hasOwn(kept, key)),
    faults: faultsOf(course),
    score: scoreOf(questionnaire.score, course.asked),
    end: course.end,
  };
}

/** How many of the questions that a person answers are answered; attached questions do not count. */
export function progressOf({ asked }: Pick<Course, 'asked'>): { answered: number; of: number } {
  const own = asked.filter(
    ({ question: { type, beside } }) => beside === undefined && !['statement', 'calculated', 'hidden'].includes(type),
  );
  return {
    answered: own.filter(({ value, na }) => na || (value !== null && value !== undefined)).length,
    of: own.length,
  };
}
