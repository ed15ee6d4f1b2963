import type { PrintBlock } from '../../../descriptor/prints.ts';
import { PUBLIC_INPUTS, answerStep } from '../../../descriptor/public_page.ts';
import type { PublicAct, PublicBlock, PublicField, PublicView } from '../../../descriptor/public_page.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { ContentBlock } from '../../services/print/print_content.ts';
import { fillPrint, writtenText } from '../print/fill_print.ts';
import { lastKept } from '../print/kept_prints.ts';
import { PrintValues } from '../print/print_values.ts';
import { asPublic, seenRecord } from '../records/visible.ts';
import { holds } from '../workflow/values.ts';
import { publicQuestions } from './public_answers.ts';
import type { PublicSheet } from './public_answers.ts';
import type { PublicScreen } from './public_links.ts';

/** The record of a link, and the type whose public page it opens. */
export interface Shown {
  session: Session;
  screens: ReadonlyMap<string, Screen>;
  screen: PublicScreen;
  /** The type of the record. */
  of: Screen;
  record: WireRecord;
  /** Whether the link adds a record each time. */
  begins: boolean;
  /** The questionnaire of the page. */
  sheet: PublicSheet | null;
}

/** Whether the record of a link is open to people without an account. */
export const isOpen = ({
  session,
  screens,
  screen,
  of,
  record,
}: Pick<Shown, 'session' | 'screens' | 'screen' | 'of' | 'record'>): Promise<boolean> =>
  holds({ session, screen: of, screens, record }, screen.public.when ?? undefined);

/** The actions available on a public page for the current record: a new record, or transitions from its state. */
export async function offeredActs({
  session,
  screens,
  screen,
  of,
  record,
  begins,
  sheet,
}: Shown): Promise<PublicAct[]> {
  const { public: page, workflow } = screen;
  const named = (name: string) => screen.fields.find((field) => field.name === name);
  const asked = (field: Field, required: boolean) => publicField(field, required, choicesOf(screen, record, field));
  const isAnonymous = sheet?.version?.content.anonymous !== undefined;
  if (begins && !isAnonymous) {
    if (!record.active || (page.may === 'answer' && !sheet?.version)) return [];
    if (!(await isOpen({ session, screens, screen, of, record }))) return [];
    const fields = page.fields.flatMap((name) => named(name) ?? []);
    const title = page.may === 'answer' ? 'Start' : 'Send';
    return [{ name: null, title, fields: fields.map((field) => asked(field, field.required)) }];
  }
  if (page.may === 'answer' && !sheet?.version) return [];
  const steps = page.may === 'answer' ? [answerStep(screen)!.step.name] : page.may;
  const acts: PublicAct[] = [];
  for (const name of steps) {
    const transition = workflow?.transitions.find((one) => one.name === name);
    // Before the start there is no record for the transition.
    const isThere = begins || transition?.from.includes(String(record[workflow!.field]));
    if (!transition || !record.active || !isThere) continue;
    if (!begins && !(await holds({ session, screen, screens, record }, transition.when))) continue;
    const fields = transition.ask.flatMap(({ field, required }) => {
      const known = page.fields.includes(field) ? named(field) : undefined;
      return known ? [asked(known, required)] : [];
    });
    if (transition.reason !== undefined) fields.push(reasonField(transition.reason));
    acts.push({ name, title: transition.title, fields });
  }
  return acts;
}

/** The values of a fixed choice that occur in rows of the record; null = all. */
function choicesOf({ public: page }: PublicScreen, record: WireRecord, { name }: Field): Set<unknown> | null {
  const [rows, column] = page.choices[name]?.split('.') ?? [];
  if (rows === undefined || column === undefined) return null;
  return new Set(((record[rows] ?? []) as Record<string, unknown>[]).map((row) => row[column]));
}

function publicField(field: Field, required: boolean, only: Set<unknown> | null): PublicField {
  const { name, title, help, type, options, schema } = field;
  const max = schema.maxLength ?? null;
  return {
    name,
    title,
    help: help ?? null,
    input: PUBLIC_INPUTS.get(type) ?? 'text',
    required,
    options:
      options
        ?.filter(({ value }) => only === null || only.has(value))
        .map(({ value, label }) => ({ value: value as string | number, label })) ?? null,
    max: typeof max === 'number' ? max : null,
  };
}

const reasonField = (question: string): PublicField => ({
  name: 'reason',
  title: question,
  help: null,
  input: 'lines',
  required: true,
  options: null,
  max: 500,
});

/** The content of a public page, as everybody may see the record. `done`: the text after it was used. */
export async function publicView(shown: Shown, done: string | null, next: string | null = null): Promise<PublicView> {
  const { session, screens, screen, of, begins, sheet } = shown;
  const { public: page } = screen;
  const nobody = asPublic(session);
  const record = await seenRecord(nobody, of, screens, shown.record);
  const values = new PrintValues(nobody, screens, record);
  const blocks: PrintBlock[] = [{ letterhead: true }, ...page.shows];
  const content = await fillPrint(
    { session: nobody, screen: of, screens, record },
    { name: '', title: '', paper: 'A4', landscape: false, watermark: {}, blocks },
    '',
  );
  const head = content.blocks.find((one) => one.kind === 'letterhead');
  const prints = [];
  for (const name of page.prints)
    if ((await lastKept(session, { type: of.name, id: record.id }, name)) !== null)
      prints.push({ name, title: of.prints!.find((one) => one.name === name)!.title });
  return {
    title: sheet?.title ?? page.title,
    from: head ? { name: head.name, lines: head.lines } : null,
    text: page.text === null ? (sheet?.texts.intro ?? null) : await writtenText(values, of.fields, record, page.text),
    blocks: content.blocks.flatMap(publicBlock),
    prints,
    acts: done === null ? await offeredActs(shown) : [],
    questions: sheet && (!begins || sheet.version?.content.anonymous) && done === null ? publicQuestions(sheet) : null,
    next,
    done: done === null ? null : (sheet?.texts.thanks ?? done),
  };
}

function publicBlock(block: ContentBlock): PublicBlock[] {
  switch (block.kind) {
    case 'box':
      return block.entries.length === 0 ? [] : [{ kind: 'box', entries: block.entries }];
    case 'text':
      return [{ kind: 'text', text: block.text, bold: block.bold }];
    case 'table':
      return [
        {
          kind: 'table',
          title: block.title,
          columns: block.columns.map(({ title, align }) => ({ title, align })),
          groups: block.groups,
          sums: block.sums,
        },
      ];
    default:
      return [];
  }
}
