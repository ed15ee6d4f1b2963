import type { Band, InspectionScore, ScoredAnswer } from './inspection_score.ts';
import { scoreInspection } from './inspection_score.ts';
import { BESIDE } from './inspection_questionnaire.ts';
import { codeOf } from './questionnaire/answer_form.ts';
import { courseOf, togetherOf } from './questionnaire/course.ts';
import type { Asked, Respondent } from './questionnaire/course.ts';
import type { Answers, Choice, Questionnaire } from './questionnaire/question.ts';
import { answerText } from './questionnaire/shown_text.ts';

/** A fault that was found. */
export interface Finding {
  field: number;
  repeat: number | null;
  answer: string;
  severity: string;
  remark: string | null;
  advice: string | null;
  /** As entered, or the estimate of the answer. */
  cost: string | null;
  /** The service that remedies it. */
  service: number | null;
  followUp: string | null;
  photo: number | null;
}

const GRAVITY = ['ok', 'minor', 'major', 'critical'];
const gravity = ({ facts }: Choice): number => GRAVITY.indexOf(String(facts?.severity ?? 'ok'));

/** The choices that are answered. */
function chosenOf({ question, value }: Asked): Choice[] {
  const given = new Set((Array.isArray(value) ? value : [value]).map(codeOf));
  return question.options.filter(({ code }) => given.has(code));
}

/**
 * Score, grade and faults of an inspection from its current answers. Of several answers to one question the worst
 * counts.
 */
export function inspectionResult(
  content: Questionnaire,
  answers: Answers,
  respondent: Respondent,
  bands: readonly Band[],
): InspectionScore & { findings: Finding[] } {
  const scored: ScoredAnswer[] = [];
  const findings: Finding[] = [];
  for (const { section, repeat, asked } of courseOf(content, answers, respondent).sections)
    for (const { lead, beside } of togetherOf(asked)) {
      const { facts, options, weight, code } = lead.question;
      if (facts === undefined) continue;
      const chosen = chosenOf(lead);
      const scores = chosen.flatMap(({ score }) => score ?? []);
      const gravest = chosen.toSorted((a, b) => gravity(b) - gravity(a))[0];
      const severity = gravest ? String(gravest.facts?.severity ?? 'ok') : null;
      scored.push({
        group: Number(section.facts?.group),
        weight,
        score: scores.length === 0 ? null : Math.min(...scores),
        best: Math.max(0, ...options.map(({ score }) => score ?? 0)),
        severity,
        critical: facts.critical === true,
      });
      if (!gravest || severity === null || severity === 'ok') continue;
      const besides = new Map(beside.map(({ question, value }) => [question.code, value]));
      const said = (end: string): string | null => {
        const value = besides.get(`${code}${end}`);
        return value === null || value === undefined ? null : String(value);
      };
      const { advice, cost, service } = gravest.facts ?? {};
      const photo = besides.get(`${code}${BESIDE.photo}`);
      findings.push({
        field: Number(facts.field),
        repeat: repeat ? Number(repeat.code) : null,
        answer: answerText(lead),
        severity,
        remark: said(BESIDE.remark),
        advice: typeof advice === 'string' ? advice : null,
        cost: said(BESIDE.cost) ?? (typeof cost === 'string' ? cost : null),
        service: typeof service === 'number' ? service : null,
        followUp: said(BESIDE.followUp),
        photo: Array.isArray(photo) && typeof photo[0] === 'number' ? photo[0] : null,
      });
    }
  return { ...scoreInspection(scored, bands), findings };
}
