/** The part of an answer that counts. */
export interface ScoredAnswer {
  /** Part of the survey. */
  group: number;
  weight: number;
  /** The answer's score, 0 to 4 with one decimal; null = not answered, not applicable, or without a list. */
  score: number | null;
  /** The best score of the answer's list. */
  best: number;
  severity: string | null;
  /** The question determines whether the lift is safe. */
  critical: boolean;
}

export interface Band {
  from: number;
  grade: string;
}

export interface InspectionScore {
  /** Percent to 0.1, as text; null = nothing counts yet. */
  score: string | null;
  grade: string | null;
  unsafe: boolean;
  groups: { group: number; score: string | null; faults: number }[];
}

const UNSAFE = 'Unsafe';

/**
 * Score of an inspection (fms.md C18): 100 × Σ(weight × score) / Σ(weight × best score of the list) over answered,
 * applicable questions, half up to 0.1; the grade by bands. A critical answer at a critical question is
 * unsafe whatever the score.
 */
export function scoreInspection(answers: readonly ScoredAnswer[], bands: readonly Band[]): InspectionScore {
  const unsafe = answers.some(({ critical, severity }) => critical && severity === 'critical');
  const score = percent(answers);
  const band = [...bands].sort((a, b) => b.from - a.from).find(({ from }) => score !== null && Number(score) >= from);
  const groups = [...Map.groupBy(answers, ({ group }) => group)].map(([group, own]) => ({
    group,
    score: percent(own),
    faults: own.filter(({ severity }) => severity !== null && severity !== 'ok').length,
  }));
  return { score, grade: unsafe ? UNSAFE : (band?.grade ?? null), unsafe, groups };
}

/** In whole tenths, so that the result is rounded only once. */
function percent(answers: readonly ScoredAnswer[]): string | null {
  const counted = answers.filter(({ score }) => score !== null);
  const reached = counted.reduce((sum, { weight, score }) => sum + weight * Math.round(score! * 10), 0);
  const best = counted.reduce((sum, answer) => sum + answer.weight * Math.round(answer.best * 10), 0);
  return best === 0 ? null : (Math.floor((2000 * reached + best) / (2 * best)) / 10).toFixed(1);
}
