import { Exact } from '../../descriptor/exact.ts';
import { codeOf } from './answer_form.ts';
import type { Asked } from './course.ts';
import { choicesOf, pointsOf } from './question.ts';
import type { ScoreMethod } from './question.ts';

/** The points of an answer, and the maximum. */
export interface Points {
  got: number;
  max: number;
}

const best = (scores: readonly number[]): number => Math.max(0, ...scores);

/** Points of an answer; null if it has none: not answered, not applicable, or not scored. */
function pointsOfAnswer({ question, value, na, rows }: Asked): Points | null {
  if (na || value === null || value === undefined) return null;
  switch (question.type) {
    case 'yes_no':
    case 'single_choice':
    case 'dropdown':
    case 'image_choice': {
      const choices = choicesOf(question);
      const score = choices.find(({ code }) => code === codeOf(value))?.score;
      return score === undefined ? null : { got: score, max: best(choices.map((one) => one.score ?? 0)) };
    }
    case 'multiple_choice': {
      const codes = new Set((value as unknown[]).map(codeOf));
      const scored = question.options.filter(({ score }) => score !== undefined);
      if (scored.length === 0) return null;
      const got = scored.reduce((sum, { code, score }) => sum + (codes.has(code) ? score! : 0), 0);
      return { got, max: scored.reduce((sum, { score }) => sum + Math.max(score!, 0), 0) };
    }
    case 'rating':
    case 'scale':
    case 'csat':
    case 'ces':
    case 'nps':
      return { got: Number(value), max: pointsOf(question)![1] };
    case 'slider': {
      const max = Number(question.max ?? 100);
      return Number.isFinite(max) && max > 0 ? { got: Number(value), max } : null;
    }
    case 'matrix_rating': {
      const [, max] = pointsOf(question)!;
      const given = rows.flatMap(({ code }) => (value as Record<string, number>)[code] ?? []);
      return given.length === 0 ? null : { got: given.reduce((a, b) => a + b, 0), max: given.length * max };
    }
    case 'matrix_single': {
      const score = new Map(question.columns.map((one) => [one.code, one.score]));
      const given = rows.flatMap(({ code }) => score.get((value as Record<string, string>)[code] ?? '') ?? []);
      const max = best([...score.values()].map((one) => one ?? 0));
      return given.length === 0 ? null : { got: given.reduce((a, b) => a + b, 0), max: given.length * max };
    }
    default:
      return null;
  }
}

/**
 * The score of all answers, as text with two decimals; null if none is scored. `index`: 100 × Σ(weight × got ÷ most) ÷
 * Σ weight over the visible and answered questions; `points`: Σ(weight × got).
 */
export function scoreOf(method: ScoreMethod, asked: readonly Asked[]): string | null {
  if (method === 'none') return null;
  let reached = new Exact(0);
  let weights = new Exact(0);
  for (const one of asked) {
    const { weight } = one.question;
    const points = weight > 0 ? pointsOfAnswer(one) : null;
    if (points === null || points.max <= 0) continue;
    const share = new Exact(points.got).times(weight);
    reached = reached.plus(method === 'index' ? share.dividedBy(points.max) : share);
    weights = weights.plus(weight);
  }
  if (weights.isZero()) return null;
  return (method === 'index' ? reached.times(100).dividedBy(weights) : reached).toFixed(2);
}
