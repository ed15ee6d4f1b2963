import { Decimal } from 'decimal.js';
import { feedbackScore } from '../../../../domain/performance/appraisal.ts';
import type { Effect } from '../../../engine/modules.ts';

/** Minimum number of answers before feedback is shown: fewer would reveal the author. */
const LEAST_ANSWERS = 3;

interface Given extends Record<string, unknown> {
  id: number;
  mean: string | null;
  comment: string | null;
  said_by: number | null;
}

/**
 * Summarises the feedback of others in the appraisal: means by question, comments in alphabetical order to hide their
 * authors.
 */
export const countFeedback: Effect = {
  elevated: true,
  locks: ({ record }) => Promise.resolve([{ type: 'appraisal', id: record.appraisal_id as number }]),
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const given = await unit.query<Given>(
      `select f.id, (select avg(r.stars)::text from {appraisal_feedback.ratings} r where r.parent_id = f.id) as mean, f.comment,
         case when f.anonymous then null else f.reviewer_id end as said_by
       from {appraisal_feedback} f where f.appraisal_id = $1 and f.active and f.status = 'given'`,
      [record.appraisal_id],
    );
    const isShown = given.length >= LEAST_ANSWERS;
    const questions = isShown
      ? await unit.query<{ question: string; stars: string; answers: number }>(
          `select r.question, avg(r.stars)::text as stars, count(*)::int as answers from {appraisal_feedback.ratings} r
           where r.parent_id = any($1) group by r.question order by min(r.id)`,
          [given.map(({ id }) => id)],
        )
      : [];
    await unit.update('appraisal', record.appraisal_id as number, {
      feedback_answers: given.length,
      feedback_score: isShown ? feedbackScore(given.flatMap(({ mean }) => (mean === null ? [] : [mean]))) : null,
      feedback_lines: questions.map((one) => ({ ...one, stars: new Decimal(one.stars).toFixed(2) })),
      feedback_comments: isShown
        ? given
            .flatMap(({ comment, said_by }) => (comment === null ? [] : [{ comment, said_by }]))
            .toSorted((a, b) => a.comment.localeCompare(b.comment))
        : [],
    });
  },
};
