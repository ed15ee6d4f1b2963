import { courseOf } from './course.ts';
import type { Course, Respondent } from './course.ts';
import { faultsOf } from './faults.ts';
import type { Fault } from './faults.ts';
import type { Answer, Answers, Questionnaire } from './question.ts';
import { scoreOf } from './score.ts';

/** What becomes of answers when the questionnaire is handed in. */
export interface Completion {
  /** Answers to what is asked, computed ones among them. */
  kept: Record<string, Answer>;
  /** Answers to what is hidden: they go. */
  dropped: string[];
  faults: Fault[];
  /** Null: nothing counts. */
  score: string | null;
  end: Course['end'];
}

/** Looks at all answers as they are handed in; the server and the browser find the same. */
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

/** How many of the questions that a person answers are answered; what goes with another question is not counted. */
export function progressOf({ asked }: Pick<Course, 'asked'>): { answered: number; of: number } {
  const own = asked.filter(
    ({ question: { type, beside } }) => beside === undefined && !['statement', 'calculated', 'hidden'].includes(type),
  );
  return {
    answered: own.filter(({ value, na }) => na || (value !== null && value !== undefined)).length,
    of: own.length,
  };
}
