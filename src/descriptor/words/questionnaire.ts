import { QUESTION_TYPES } from '../../domain/questionnaire/question.ts';
import type { ScoreMethod } from '../../domain/questionnaire/question.ts';
import type { ScreenCheck } from '../check_context.ts';
import type { Screen } from '../types.ts';
import { defineWord } from './word.ts';
import type { Path } from './word.ts';

interface Level {
  type: string;
  by: string;
}
interface BuiltQuestionnaire {
  sections: Level;
  questions: Level;
  publish: string;
  score?: ScoreMethod;
}
type WrittenQuestionnaire = BuiltQuestionnaire | { made_by: string };

declare module '../types.ts' {
  interface WrittenWords {
    questionnaire?: WrittenQuestionnaire;
  }
  interface ScreenWords {
    /**
     * Its records are questionnaires: the rows fields with the sections and, in those, the questions; the transition
     * that freezes a version.
     */
    questionnaire?: {
      sections: string;
      questions: string;
      questionType: string;
      sectionType: string;
      publish: string;
      score: ScoreMethod;
      /** The effect that creates the versions, from records other than sections and questions. */
      madeBy?: string;
    };
  }
}

const level = {
  type: 'object',
  required: ['type', 'by'],
  additionalProperties: false,
  properties: {
    type: { description: 'A type that has "part".', type: 'string', minLength: 1 },
    by: { description: 'Its reference to the level above.', $ref: '#/$defs/fieldName' },
  },
};

/** The fields that a level must have, with their allowed types. */
const NEEDED: Record<'sections' | 'questions', Record<string, readonly string[]>> = {
  sections: { code: ['text', 'code'], title: ['text', 'name'] },
  questions: { code: ['text', 'code'], question_type: ['enum'], text: ['text', 'long_text'] },
};

/** The role of a level, and the rows field of its parent level. */
function checkLevel(check: ScreenCheck, above: Screen, one: Level, word: 'sections' | 'questions'): Screen | undefined {
  const at: Path = ['questionnaire', word];
  const found = check.type(one.type, [...at, 'type']);
  if (!found) return undefined;
  if (found.part?.of !== above.name || found.part.by !== one.by)
    check.report(
      at,
      `"${one.type}" is no part of "${above.name}" by "${one.by}".`,
      `Write "part": { "of": "${above.name}", "by": "${one.by}" } there.`,
    );
  for (const [name, types] of Object.entries(NEEDED[word])) {
    const field = found.fields.find((field) => field.name === name);
    if (!field || !types.includes(field.type))
      check.report(
        [...at, 'type'],
        `"${one.type}" has no field "${name}" of type ${types.join(' or ')}.`,
        'Questions and sections have the fields that the questionnaire reads.',
      );
  }
  return found;
}

export const questionnaire = defineWord<WrittenQuestionnaire>({
  name: 'questionnaire',
  on: 'screen',
  shape: {
    description:
      'The records are questionnaires, with sections and questions; a transition publishes a version of them.',
    type: 'object',
    oneOf: [{ required: ['sections', 'questions', 'publish'] }, { required: ['made_by'], maxProperties: 1 }],
    additionalProperties: false,
    examples: [
      {
        sections: { type: 'survey_section', by: 'survey_id' },
        questions: { type: 'survey_question', by: 'survey_section_id' },
        publish: 'publish',
      },
    ],
    properties: {
      sections: level,
      questions: level,
      publish: {
        description: 'The transition that checks the questionnaire and freezes it as a version.',
        type: 'string',
        minLength: 1,
      },
      score: {
        description:
          'How the answers are combined into a score: "index" (weighted percent), "points" (weighted sum) or "none" (the default).',
        enum: ['index', 'points', 'none'],
      },
      made_by: {
        description:
          'Instead of all others: the effect of a module that creates a version when a record starts to answer.',
        type: 'string',
        minLength: 1,
      },
    },
  },
  after: ['schema', 'workflow'],
  compile: (written) =>
    written
      ? {
          questionnaire: {
            sections: '',
            questions: '',
            ...('made_by' in written
              ? { sectionType: '', questionType: '', publish: '', score: 'none', madeBy: written.made_by }
              : {
                  sectionType: written.sections.type,
                  questionType: written.questions.type,
                  publish: written.publish,
                  score: written.score ?? 'none',
                }),
          },
        }
      : {},
  join: (screen, screens) => {
    const { questionnaire: own } = screen;
    if (!own || own.madeBy !== undefined) return;
    const fieldOf = (above: Screen | undefined, type: string) =>
      above?.fields.find(({ part }) => part?.type === type)?.name ?? '';
    own.sections = fieldOf(screen, own.sectionType);
    own.questions = fieldOf(
      screens.find(({ name }) => name === own.sectionType),
      own.questionType,
    );
  },
  check: (check) => {
    const written = (check.descriptor as { questionnaire?: WrittenQuestionnaire }).questionnaire;
    if (!written) return;
    if ('made_by' in written) return check.function('effects', written.made_by, ['questionnaire', 'made_by']);
    const transitions = check.screen.workflow?.transitions ?? [];
    if (!transitions.some(({ name }) => name === written.publish))
      check.report(
        ['questionnaire', 'publish'],
        `There is no transition "${written.publish}".`,
        'A questionnaire is published by a transition of "workflow".',
      );
    const sections = checkLevel(check, check.screen, written.sections, 'sections');
    const questions = sections && checkLevel(check, sections, written.questions, 'questions');
    const type = questions?.fields.find(({ name }) => name === 'question_type');
    const known: readonly string[] = QUESTION_TYPES;
    for (const { value } of type?.options ?? [])
      if (!known.includes(String(value)))
        check.report(
          ['questionnaire', 'questions'],
          `"${String(value)}" is not a type of question.`,
          `There are: ${QUESTION_TYPES.join(', ')}.`,
        );
  },
  overlay: {
    needs: (screen, name) => (screen.questionnaire?.sections === name ? 'its questions are below it' : null),
  },
  chapter: 'Questionnaires',
  doc: [
    '**`questionnaire`** makes the records of a type questionnaires: `sections` are its [parts](#parts-and-owners), and',
    '`questions` the parts of the sections. The type has a page on which they are built, with a preview that can be',
    'answered as people will answer it; its address is a `sameAs` with the target `questions`. The transition `publish`',
    'checks that every question can be reached and that every condition refers to earlier questions, and freezes sections,',
    'questions, order, conditions and scoring as a version; equal content is the same version. Records of other types',
    'answer a version in a field of type `answers`, and are submitted by a transition with the effect `hand_in`:',
    '`{"hand_in": {"answers": "answers", "score": "score", "screened_out": "screened_out"}}` refuses while a required',
    'answer is missing or an answer is invalid, removes answers to hidden questions, and sets the score field and the field',
    'for people who are screened out. With `when` it does so only while that condition is true.',
    '',
    'If the questions are records with a different structure, `"questionnaire": { "made_by": "fms_contracts.ask_questions"',
    '}` names the effect that creates the version: a transition of the answering record has this effect, which freezes the',
    'questions as they are at that moment. Such a questionnaire may repeat a section for each entry of a fact',
    '(`recipient.landings`), and may attach questions to others, such as a photo or a remark, which are shown with them and',
    'are not counted.',
    '',
    '`schemas/act/survey.json` is an example, with its sections, questions and answers. Sections have `code` and `title`,',
    'and may have `description`, `visible_if`, `shuffle`, `repeat_over`. Questions have `code`, `question_type` (one of 32',
    'types) and `text`, and may have `help`, `required`, `required_if`, `visible_if`, `may_be_na`, `options` (code, label,',
    'score, exclusive, other), `rows` (code, label, visible_if), `columns` (code, label, score, input), `min`, `max`,',
    '`step`, `min_label`, `max_label`, `min_choices`, `max_choices`, `pattern`, `total`, `shuffle`, `pin_last`, `formula`,',
    '`weight`, `jumps` (when, to). Conditions are [expressions](#expressions) that use the codes of earlier questions: `nps',
    "<= 6`, `'price' in reasons`, `parts.delivery < 3` (a row of a matrix), `recipient.city` (a field of the answering",
    'record). A comparison with an empty value is false. Texts can show answers: `{{q:code}}`, `{{q:code|value}}`,',
    '`{{r:name|there}}`.',
    '',
    'The template may have `intro` and `thanks`, shown before and after the questions, and `anonymity` (`named` or',
    '`anonymous`) with `min_group_size` (default 5, minimum 3). They are published with the version and cannot change',
    'afterwards. Anonymous answers can be given only on a [public page](#steps-and-looks) and are sent together: no person,',
    'time, log or history is stored with them, and the record only shows that it was answered. They are counted in shuffled',
    'batches of that size, and no results are shown for fewer. Files, signatures and questions that depend on the record',
    'are not asked.',
    '',
    'A `sameAs` with the target `results` is the address of the results: counts, averages, NPS and texts by question, one',
    'question compared with another or with a field of the answering records, single answers, and a workbook with',
    'everything. People who may see the template and the answering records see the results, limited to the records in the',
    'data scope of their role; results of anonymous answers are shown only to people who see the records of the whole',
    'company.',
  ],
});
