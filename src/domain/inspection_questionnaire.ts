import type { Choice, Question, Questionnaire, Section } from './questionnaire/question.ts';

/** An answer that can be chosen. */
export interface SurveyValue {
  id: number;
  code: string;
  label: string;
  /** 0 to 4 with one decimal; null if it does not count. */
  score: number | null;
  notApplicable: boolean;
  severity: string | null;
  advice: string | null;
  cost: string | null;
  /** The service that remedies the fault. */
  service?: number | null;
}

export interface SurveyQuestion {
  id: number;
  code: string;
  question: string;
  input: string;
  unit: string | null;
  min: string | null;
  max: string | null;
  weight: number;
  mandatory: boolean;
  critical: boolean;
  photoWhen: string | null;
  showIf: string | null;
  clause: string | null;
  values: readonly SurveyValue[];
}

/** A part of a survey with its questions, in the order in which the surveyor walks. */
export interface SurveyGroup {
  id: number;
  code: string;
  name: string;
  instruction: string | null;
  /** What it is repeated for. */
  per: string | null;
  questions: readonly SurveyQuestion[];
}

/** The field of an inspection with the number of repetitions of a part. */
export const TIMES: Readonly<Record<string, string>> = { landing: 'landings', rope: 'ropes', car_door: 'car_doors' };

const TYPES: Readonly<Record<string, Question['type']>> = {
  choice: 'single_choice',
  multi: 'multiple_choice',
  number: 'number',
  text: 'short_text',
  boolean: 'yes_no',
  photo: 'file',
  date: 'date',
  signature: 'signature',
};

/** What becomes of a fault. */
const FOLLOW_UPS: Choice[] = [
  { code: 'none', label: 'Nothing' },
  { code: 'ticket', label: 'Call' },
  { code: 'quotation', label: 'Quote' },
  { code: 'fixed', label: 'Fixed at once' },
];
const MAX_PHOTOS = 5;
/** The suffixes of attached questions. */
export const BESIDE = { photo: '_photo', remark: '_remark', cost: '_cost', followUp: '_then' };

/** Converts codes of a master to unique codes of a questionnaire. */
function codes(): (code: string, id: number, clean: (code: string) => string) => string {
  const taken = new Set<string>();
  return (code, id, clean) => {
    const plain = clean(code);
    const one = taken.has(plain) ? `${plain.slice(0, 12)}_${id}` : plain;
    taken.add(one);
    return one;
  };
}
const asName = (code: string): string => {
  const plain = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '_');
  return (/^[a-z]/.test(plain) ? plain : `q_${plain}`).slice(0, 22);
};
const asChoice = (code: string): string => {
  const plain = code.replaceAll(/[^A-Za-z0-9]/g, '_');
  return (/^[A-Za-z0-9]/.test(plain) ? plain : `c${plain}`).slice(0, 30);
};

function choicesOf(values: readonly SurveyValue[]): Choice[] {
  const codeOf = codes();
  return values.map(({ id, code, label, score, notApplicable, severity, advice, cost, service }) => ({
    code: codeOf(code, id, asChoice),
    label,
    ...(score !== null && !notApplicable && { score }),
    facts: {
      value: id,
      severity: severity ?? 'ok',
      ...(advice !== null && { advice }),
      ...(cost !== null && { cost }),
      ...(typeof service === 'number' && { service }),
    },
  }));
}

const plain = { options: [], rows: [], columns: [], weight: 0, jumps: [] };

/** A question with its attached ones: photo, remark, cost and follow-up. */
function questionsOf(one: SurveyQuestion, code: string): Question[] {
  const type = TYPES[one.input] ?? 'short_text';
  const isPhoto = one.input === 'photo';
  const options = type === 'single_choice' || type === 'multiple_choice' ? choicesOf(one.values) : [];
  const visible = one.showIf !== null && one.showIf.trim() !== '' ? { visibleIf: one.showIf.trim() } : {};
  const lead: Question = {
    ...plain,
    code,
    type,
    text: one.unit === null ? one.question : `${one.question} (${one.unit})`,
    ...(one.clause !== null && { help: one.clause }),
    ...(one.mandatory && { required: true as const }),
    ...visible,
    options,
    ...(one.min !== null && type === 'number' && { min: one.min }),
    ...(one.max !== null && type === 'number' && { max: one.max }),
    ...(isPhoto && { pictures: true as const, maxChoices: MAX_PHOTOS }),
    weight: one.weight,
    facts: { field: one.id, critical: one.critical },
  };
  const beside = (end: string, kind: Question['type'], text: string, more: Partial<Question>): Question => ({
    ...plain,
    code: `${code}${end}`,
    type: kind,
    text,
    ...visible,
    beside: 'folded',
    ...more,
  });
  const photo = beside(BESIDE.photo, 'file', 'Photo', {
    beside: 'open',
    pictures: true,
    maxChoices: MAX_PHOTOS,
    ...photoNeeded(one, code, options, type),
  });
  return [
    lead,
    ...(isPhoto || type === 'signature' ? [] : [photo]),
    beside(BESIDE.remark, 'short_text', 'Remark', {}),
    beside(BESIDE.cost, 'number', 'Likely cost', { min: '0' }),
    beside(BESIDE.followUp, 'single_choice', 'Then', { options: FOLLOW_UPS }),
  ];
}

/** When an answer needs a photo: always, or for a serious fault. */
function photoNeeded(
  { photoWhen, mandatory }: SurveyQuestion,
  code: string,
  options: readonly Choice[],
  type: Question['type'],
): Partial<Question> {
  if (photoWhen === 'always') return mandatory ? { required: true } : { requiredIf: `${code} != null` };
  const grave = options.filter(({ facts }) => facts?.severity === 'major' || facts?.severity === 'critical');
  if (photoWhen !== 'on_fault' || grave.length === 0) return {};
  if (type === 'multiple_choice') return { requiredIf: grave.map((one) => `'${one.code}' in ${code}`).join(' or ') };
  return { requiredIf: `${code} in [${grave.map((one) => `'${one.code}'`).join(', ')}]` };
}

/** The questionnaire of a survey: its parts as sections, repeated for each landing, rope or door. */
export function inspectionQuestionnaire(groups: readonly SurveyGroup[]): Questionnaire {
  const questionCode = codes();
  const sectionCode = codes();
  return {
    sections: groups.map(({ id, code, name, instruction, per, questions }): Section => {
      const times = TIMES[per ?? ''];
      return {
        code: `g_${sectionCode(code, id, asName)}`,
        title: name,
        ...(instruction !== null && { description: instruction }),
        ...(times !== undefined && { repeatOver: `recipient.${times}` }),
        questions: questions.flatMap((one) => questionsOf(one, questionCode(one.code, one.id, asName))),
        facts: { group: id },
      };
    }),
    score: 'none',
    paging: 'section',
    allowBack: true,
    showProgress: true,
  };
}
