import { expect, it } from 'vitest';
import type { SurveyGroup, SurveyQuestion, SurveyValue } from '../../../src/domain/inspection_questionnaire.ts';
import { inspectionQuestionnaire } from '../../../src/domain/inspection_questionnaire.ts';
import { inspectionResult } from '../../../src/domain/inspection_result.ts';
import { complete, progressOf } from '../../../src/domain/questionnaire/completion.ts';
import { courseOf } from '../../../src/domain/questionnaire/course.ts';
import { findingsOf } from '../../../src/domain/questionnaire/publish_check.ts';

const value = (id: number, code: string, score: number | null, severity: string): SurveyValue => ({
  id,
  code,
  label: code,
  score,
  notApplicable: score === null,
  severity,
  advice: severity === 'ok' ? null : 'Replace it.',
  cost: severity === 'critical' ? '6500.00' : null,
  service: severity === 'critical' ? 9 : null,
});
const CONDITION = [
  value(1, 'C-GOOD', 4, 'ok'),
  value(2, 'C-POOR', 2, 'major'),
  value(3, 'C-BAD', 0, 'critical'),
  value(4, 'C-NA', null, 'ok'),
];
const question = (id: number, code: string, more: Partial<SurveyQuestion> = {}): SurveyQuestion => ({
  id,
  code,
  question: code,
  input: 'choice',
  unit: null,
  min: null,
  max: null,
  weight: 1,
  mandatory: true,
  critical: false,
  photoWhen: 'never',
  showIf: null,
  clause: null,
  values: CONDITION,
  ...more,
});
const part = (id: number, code: string, questions: SurveyQuestion[], per: string | null = 'once'): SurveyGroup => ({
  id,
  code,
  name: code,
  instruction: null,
  per,
  questions,
});
const who = { seed: 'x', attributes: { landings: 3 } };
const given = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([key, one]) => [key, { value: one }]));

it('asks a section for each landing, and photo, remark, cost and follow-up for each question', () => {
  const content = inspectionQuestionnaire([
    part(1, 'MR', [question(1, 'MR-01')]),
    part(2, 'DOOR', [question(2, '1.DOOR', { photoWhen: 'on_fault' })], 'landing'),
  ]);
  expect(findingsOf(content)).toEqual([]);
  const course = courseOf(content, {}, who);
  expect(course.asked.map(({ key }) => key).slice(0, 6)).toEqual([
    'mr_01',
    'mr_01_photo',
    'mr_01_remark',
    'mr_01_cost',
    'mr_01_then',
    'q_1_door#1',
  ]);
  // What stands beside a question is not counted.
  expect(progressOf(course)).toEqual({ answered: 0, of: 4 });
  const missing = (values: Record<string, unknown>) =>
    complete(content, given(values), who).faults.map(({ key }) => key);
  expect(missing({ mr_01: 'C_BAD', 'q_1_door#1': 'C_GOOD', 'q_1_door#2': 'C_POOR', 'q_1_door#3': 'C_NA' })).toEqual([
    'q_1_door_photo#2',
  ]);
});

it('requires a photo always, for a grave fault, or for any answer', () => {
  const content = inspectionQuestionnaire([
    part(1, 'MR', [
      question(1, 'A', { photoWhen: 'always', input: 'boolean' }),
      question(2, 'B', { photoWhen: 'always', mandatory: false, input: 'number', max: '10' }),
      question(3, 'C', { photoWhen: 'on_fault', input: 'multi', mandatory: false }),
    ]),
  ]);
  const missing = (values: Record<string, unknown>) =>
    complete(content, given(values), who).faults.map(({ key }) => key);
  expect(missing({})).toEqual(['a', 'a_photo']);
  expect(missing({ a: 'no', a_photo: [7], b: 0, c: ['C_GOOD'] })).toEqual(['b_photo']);
  expect(missing({ a: 'no', a_photo: [7], b: 11, c: ['C_GOOD', 'C_BAD'] })).toEqual(['b', 'b_photo', 'c_photo']);
});

it('reports conflicting codes and conditions with their position', () => {
  const content = inspectionQuestionnaire([
    part(1, 'MR', [question(1, 'A.1'), question(2, 'A-1', { showIf: "a_1 == 'C_BAD'" }), question(3, 'É')]),
  ]);
  const codes = content.sections[0]!.questions.filter(({ facts }) => facts).map(({ code }) => code);
  expect(codes).toEqual(['a_1', 'a_1_2', 'q__']);
  expect(findingsOf(content)).toEqual([]);
  const asked = (answer: string) => courseOf(content, given({ a_1: answer }), who).asked.map(({ key }) => key);
  expect(asked('C_GOOD')).not.toContain('a_1_2');
  expect(asked('C_BAD')).toContain('a_1_2_remark');
});

it('scores as in fms.md C18, with the worst of several answers, and lists the faults with their details', () => {
  const content = inspectionQuestionnaire([
    part(1, 'MR', [question(1, 'A', { weight: 3, critical: true }), question(2, 'B', { input: 'multi' })]),
    part(2, 'DOOR', [question(3, 'D', { weight: 2 })], 'landing'),
  ]);
  const answers = given({
    a: 'C_BAD',
    a_cost: 7000,
    a_remark: 'Oil',
    a_photo: [12, 13],
    b: ['C_GOOD', 'C_POOR'],
    'd#1': 'C_GOOD',
    'd#2': 'C_NA',
    'd#3': 'C_POOR',
    'd_then#3': 'ticket',
    'd#4': 'C_BAD',
  });
  const result = inspectionResult(content, answers, who, [{ from: 0, grade: 'D' }]);
  // 100 × (3×0 + 1×2 + 2×4 + 2×2) / (3×4 + 1×4 + 2×4 + 2×4)
  expect(result).toMatchObject({ score: '43.8', grade: 'Unsafe', unsafe: true });
  expect(result.groups).toEqual([
    { group: 1, score: '12.5', faults: 2 },
    { group: 2, score: '75.0', faults: 1 },
  ]);
  const nothing = { remark: null, cost: null, service: null, followUp: null, photo: null };
  expect(result.findings).toEqual([
    {
      field: 1,
      repeat: null,
      answer: 'C-BAD',
      severity: 'critical',
      remark: 'Oil',
      advice: 'Replace it.',
      cost: '7000',
      service: 9,
      followUp: null,
      photo: 12,
    },
    { field: 2, repeat: null, answer: 'C-GOOD, C-POOR', severity: 'major', advice: 'Replace it.', ...nothing },
    { field: 3, repeat: 3, answer: 'C-POOR', severity: 'major', advice: 'Replace it.', ...nothing, followUp: 'ticket' },
  ]);
  // Without an entry the estimate of the answer is what it is likely to cost.
  expect(inspectionResult(content, given({ a: 'C_BAD' }), who, []).findings[0]!.cost).toBe('6500.00');
});
