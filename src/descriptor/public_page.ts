import type { Questionnaire } from '../domain/questionnaire/question.ts';
import type { PrintBlock } from './prints.ts';
import type { Field, Screen } from './types.ts';
import type { Transition } from './workflow.ts';

/** What somebody without an account may do with records of a type, by a link that was given to them. */
export interface PublicPage {
  /** Its address; ends in `/public/:token`. */
  route: string;
  title: string;
  /** Said above the form, with paths in braces. */
  text: string | null;
  /** What the link is of, and the reference of a new record to it; null = of the record itself. */
  of: { type: string; path: string } | null;
  /** `create`, `answer` a questionnaire, or the transitions of the record. */
  may: 'create' | 'answer' | readonly string[];
  fields: readonly string[];
  /** Fields of which only those values are offered that a column of rows of the record has: `options.option`. */
  choices: Readonly<Record<string, string>>;
  /** What a new record gets beside, as expressions. */
  set: Readonly<Record<string, string>>;
  /** What is shown of the record that the link is of. */
  shows: readonly PrintBlock[];
  /** Documents that were issued of it and can be opened. */
  prints: readonly string[];
  /** How often the link can be used; null = again and again. */
  uses: number | null;
  /** Days until the link ends; null = never by itself. */
  days: number | null;
  limit: {
    /** Writes by one link in an hour; null = any. */
    tokenHour: number | null;
    /** Calls from one address in a minute. */
    addressMinute: number;
  };
  /** Says by its answer that something was done already, or cannot be done any more; else there is nothing to see. */
  explains: boolean;
  /** Said when it is done. */
  done: string;
  /** Of the record of the link: whether it is open to people outside; null = always. */
  when: string | null;
  /** What a record that was added by a link may be followed by, with a link of its own; null = nothing. */
  follow: PublicFollow | null;
}

/** The page of a record that somebody added without an account. */
export type PublicFollow = Pick<
  PublicPage,
  'title' | 'text' | 'fields' | 'shows' | 'uses' | 'days' | 'explains' | 'done'
> & { may: readonly string[] };

/** The page that a link of the added record itself opens: the same limits and address, with what may be followed. */
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

/** How the page draws a field. */
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

/** How the public page draws fields, by their type; others are not asked there. */
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

/** A field as the public page asks for it. */
export interface PublicField {
  name: string;
  title: string;
  help: string | null;
  input: PublicInput;
  required: boolean;
  options: { value: string | number; label: string }[] | null;
  max: number | null;
}

/** One thing that can be done on the page. */
export interface PublicAct {
  /** The transition; null = a new record. */
  name: string | null;
  title: string;
  fields: PublicField[];
}

/** What is shown of a record: as on paper, without pictures. */
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

/** A questionnaire as a public page asks it. */
export interface PublicQuestions {
  content: Questionnaire;
  answers: { code: string; value: unknown; na: boolean }[];
  /** Facts about the record that conditions and texts name. */
  attributes: Record<string, unknown>;
  seed: string;
  /** Anonymous: the fewest answers of which anything is shown, and answers are sent together. Null: answers are kept one by one. */
  least: number | null;
}

/** What a public page shows. */
export interface PublicView {
  title: string;
  /** Who asks: the company, with its address. */
  from: { name: string; lines: string[] } | null;
  text: string | null;
  blocks: PublicBlock[];
  prints: { name: string; title: string }[];
  acts: PublicAct[];
  /** What is answered; the act hands it in. */
  questions: PublicQuestions | null;
  /** Where what was just begun goes on: the path of a page. */
  next: string | null;
  /** What is said when it was done; null = it is still to do. */
  done: string | null;
}

/** How the answers of a page are kept and handed in: the field, and the transition with the effect `hand_in`. */
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

/** Where the token stands in the address of a public page. */
export const PUBLIC_END = '/public/:token';
