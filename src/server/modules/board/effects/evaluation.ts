import { Decimal } from 'decimal.js';
import { formatDate } from '../../../../descriptor/format.ts';
import type { Effect } from '../../../engine/modules.ts';

/** Means are shown from this number of answers on: fewer would reveal what a member answered. */
const LEAST_ANSWERS = 3;

/** Gives each member with an account a form with the questions. */
export const askEvaluation: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const {
      questions,
      member_user_ids: members,
      due_on: due,
    } = record as unknown as {
      questions: { question: string }[];
      member_user_ids: number[];
      due_on: string;
    };
    for (const user of members)
      await unit.create('board_evaluation_answer', {
        evaluation_id: record.id,
        user_id: user,
        ratings: questions.map(({ question }) => ({ question })),
      });
    await unit.update('board_evaluation', record.id, { asked: members.length, given: 0 });
    const [named] = await unit.query<{ name: string }>('select name from {board_unit} where id = $1', [record.unit_id]);
    await unit.notify({
      event: 'board',
      to: members,
      values: {
        subject: `Self-assessment of ${named?.name ?? ''}`,
        text: `Answer until ${formatDate(due)}. Your answer counts without your name.`,
      },
      link: '/board_evaluation_answers?mine=1',
    });
  },
};

/** Counts an answer; its stars count when the self-assessment is closed. */
export const countEvaluation: Effect = {
  elevated: true,
  locks: ({ record }) => Promise.resolve([{ type: 'board_evaluation', id: record.evaluation_id as number }]),
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const [count] = await unit.query<{ n: number }>(
      `select count(*)::int as n from {board_evaluation_answer} where evaluation_id = $1 and active and state = 'given'`,
      [record.evaluation_id],
    );
    await unit.update('board_evaluation', record.evaluation_id as number, { given: count!.n });
  },
};

/** Computes the mean of each question and of all, once for all answers: a growing mean would reveal the last one. */
export const closeEvaluation: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const { questions } = await unit.read('board_evaluation', record.id);
    const means = await unit.query<{ question: string; mean: string }>(
      `select r.question, avg(r.stars)::text as mean from {board_evaluation_answer.ratings} r
       join {board_evaluation_answer} a on a.id = r.parent_id
       where a.evaluation_id = $1 and a.active and a.state = 'given'
       group by r.question having count(r.stars) >= $2`,
      [record.id, LEAST_ANSWERS],
    );
    if (means.length === 0) return;
    const two = (value: Decimal.Value) => new Decimal(value).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toFixed(2);
    const known = new Map(means.map(({ question, mean }) => [question, mean]));
    const sum = means.reduce((all, { mean }) => all.plus(mean), new Decimal(0));
    await unit.update('board_evaluation', record.id, {
      mean: two(sum.div(means.length)),
      questions: (questions as { question: string }[]).map((row) => {
        const mean = known.get(row.question);
        return mean === undefined ? row : { ...row, mean: two(mean) };
      }),
    });
  },
};
