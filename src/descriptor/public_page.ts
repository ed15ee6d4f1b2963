import type { Questionnaire } from '../domain/questionnaire/question.ts';
import type { PrintBlock } from './prints.ts';
import type { Field, Screen } from './types.ts';
import type { Transition } from './workflow.ts';

/** What people without an account may do with records of a type, through a link. */
export interface PublicPage {
  /** Its address; ends in `/public/:token`. */
  route: string;
  title: string;
  /** Text above the form, with paths in braces. */
  text: string | null;
  /** The record of the link, and the reference of a new record to it; null = the record itself. */
  of: { type: string; path: string } | null;
  /** `create`, `answer` a questionnaire, or the transitions of the record; none = it is only shown. */
  may: 'create' | 'answer' | readonly string[];
  fields: readonly string[];
  /** Fields that offer only the values in a column of the record's rows: `options.option`. */
  choices: Readonly<Record<string, string>>;
  /** Further fields of a new record, as expressions. */
  set: Readonly<Record<string, string>>;
  /** What is shown of the record of the link. */
  shows: readonly PrintBlock[];
  /** Documents issued from it that can be opened. */
  prints: readonly string[];
  /** How often the link can be used; null = unlimited. */
  uses: number | null;
  /** Days until the link expires; null = never. */
  days: number | null;
  limit: {
    /** Maximum writes per link and hour; null = unlimited. */
    tokenHour: number | null;
    /** Maximum calls per address and minute. */
    addressMinute: number;
  };
  /**
   * The response says that something was already done, or is no longer possible; otherwise the link appears not to
   * exist.
   */
  explains: boolean;
  /** Said when it is done. */
  done: string;
  /** For the record of the link: whether it is open to outsiders; null = always. */
  when: string | null;
  /** The follow-up page of an added record, with its own link; null = none. */
  follow: PublicFollow | null;
}

/** The follow-up page of a record added without an account. */
export type PublicFollow = Pick<
  PublicPage,
  'title' | 'text' | 'fields' | 'shows' | 'uses' | 'days' | 'explains' | 'done'
> & { may: readonly string[] };

/** Whether the page only shows its record: no transition is offered there. */
export const isShownOnly = ({ may }: Pick<PublicPage, 'may'>): boolean => typeof may !== 'string' && may.length === 0;

/** The page opened by the added record's own link: the same limits and address, with the follow-up actions. */
export const followPage = (page: PublicPage, follow: PublicFollow): PublicPage => ({
  ...page,
  ...follow,
  of: null,
  choices: {},
  set: {},
  prints: [],
  when: null,
  follow: null,
});

/** The control of a field on the page. */
export type PublicInput =
  | 'text'
  | 'lines'
  | 'choice'
  | 'yes_no'
  | 'date'
  | 'time'
  | 'whole'
  | 'number'
  | 'email'
  | 'phone'
  | 'url';

/** The controls of fields on the public page, by type; other types cannot be asked for there. */
export const PUBLIC_INPUTS: ReadonlyMap<string, PublicInput> = new Map([
  ['text', 'text'],
  ['name', 'text'],
  ['long_text', 'lines'],
  ['enum', 'choice'],
  ['boolean', 'yes_no'],
  ['date', 'date'],
  ['time', 'time'],
  ['integer', 'whole'],
  ['rating', 'whole'],
  ['decimal', 'number'],
  ['quantity', 'number'],
  ['percent', 'number'],
  ['money', 'number'],
  ['email', 'email'],
  ['phone', 'phone'],
  ['pincode', 'text'],
  ['url', 'url'],
]);

/** A field asked for by the public page. */
export interface PublicField {
  name: string;
  title: string;
  help: string | null;
  input: PublicInput;
  required: boolean;
  options: { value: string | number; label: string }[] | null;
  max: number | null;
}

/** One action on the page. */
export interface PublicAct {
  /** The transition; null = a new record. */
  name: string | null;
  title: string;
  fields: PublicField[];
}

/** The content shown of a record: as on paper, without pictures. */
export type PublicBlock =
  | { kind: 'box'; entries: { title: string; text: string }[] }
  | { kind: 'text'; text: string; bold: boolean }
  | {
      kind: 'table';
      title: string | null;
      columns: { title: string; align: 'left' | 'right' }[];
      groups: { title: string | null; rows: string[][]; sums: string[] | null }[];
      sums: string[] | null;
    };

/** The questionnaire of a public page. */
export interface PublicQuestions {
  content: Questionnaire;
  answers: { code: string; value: unknown; na: boolean }[];
  /** Facts about the record used in conditions and texts. */
  attributes: Record<string, unknown>;
  seed: string;
  /**
   * Anonymous: the minimum number of answers before results are shown, and answers are sent together. Null: answers are
   * saved one by one.
   */
  least: number | null;
}

/** The content of a public page. */
export interface PublicView {
  title: string;
  /** The asking company, with its address. */
  from: { name: string; lines: string[] } | null;
  text: string | null;
  blocks: PublicBlock[];
  prints: { name: string; title: string }[];
  acts: PublicAct[];
  /** The questionnaire; the action submits it. */
  questions: PublicQuestions | null;
  /** The path of the page on which the started record continues. */
  next: string | null;
  /** The text after completion; null = not done yet. */
  done: string | null;
}

/** How the answers of a page are saved and submitted: the field, and the transition with the effect `hand_in`. */
export function answerStep({
  fields,
  workflow,
}: Pick<Screen, 'fields' | 'workflow'>): { field: Field; step: Transition } | null {
  for (const step of workflow?.transitions ?? [])
    for (const { name, args } of step.effects) {
      const field = name === 'hand_in' && fields.find((one) => one.name === args.answers);
      if (field && field.type === 'answers') return { field, step };
    }
  return null;
}

/** The position of the token in the address of a public page. */
export const PUBLIC_END = '/public/:token';
