import type { Unit } from '../../engine/records/unit.ts';
import type { Comparison } from './template_tasks.ts';

type Row = Readonly<Record<string, unknown>>;

/** One difference between a checklist and the new version of its template, as a person reads it. */
export interface UpdateLine {
  /** The code of the task and the field. */
  line: string;
  task: string;
  what: string;
  kind: 'template' | 'both' | 'new' | 'gone';
  was: string | null;
  template: string | null;
  ours: string | null;
}

/** The line of a field of a task, or of the whole task. */
export const lineOf = (task: string, what: string): string => `${task} ${what}`;

/** What the company changed itself, or has alone, stays unless somebody chooses otherwise. */
export const proposal = ({ kind }: UpdateLine): 'template' | 'ours' =>
  kind === 'both' || kind === 'gone' ? 'ours' : 'template';

/** The differences of a comparison, in the order of the tasks. */
export async function updateLines(
  unit: Unit,
  { checklist, tasks, difference: { fields, added, removed } }: Comparison,
): Promise<UpdateLine[]> {
  const titles = new Map(checklist.tasks.map((task) => [String(task.template_task_code), String(task.title)]));
  const forms = await formTitles(
    unit,
    fields.filter(({ field }) => field === 'form_id').flatMap(({ base, theirs, ours }) => [base, theirs, ours]),
  );
  const units = await unitNames(unit, [
    ...fields.flatMap(({ field, base, theirs, ours }) => (field === 'subtasks' ? [base, theirs, ours] : [])),
    ...added.map((task) => tasks[task]!.subtasks),
  ]);
  const said = (field: string, value: unknown) => words(field, value, { forms, units });
  const whole = { was: null, template: null, ours: null };
  return [
    ...fields.map(({ task, field, base, theirs, ours, changed }): UpdateLine => ({
      line: lineOf(task, field),
      task: titles.get(task) ?? task,
      what: field,
      kind: changed === 'both' ? 'both' : 'template',
      was: said(field, base),
      template: said(field, theirs),
      ours: said(field, ours),
    })),
    ...added.map((task): UpdateLine => ({
      ...whole,
      line: lineOf(task, 'task'),
      task: String(tasks[task]!.title),
      what: 'task',
      kind: 'new',
      template: pointsInWords(tasks[task]!.subtasks, units),
    })),
    ...removed.map((task): UpdateLine => ({
      ...whole,
      line: lineOf(task, 'task'),
      task: titles.get(task) ?? task,
      what: 'task',
      kind: 'gone',
    })),
  ];
}

/** The comparison in one sentence. */
export function summaryOf(lines: readonly UpdateLine[], version: unknown): string {
  if (lines.length === 0) return `Version ${String(version)} changes nothing in this checklist. Apply it to adopt it.`;
  const both = lines.filter(({ kind }) => kind === 'both').length;
  const count = lines.length === 1 ? '1 difference' : `${lines.length} differences`;
  const conflicts = both === 0 ? '' : `; the company changed ${both} of them too`;
  return `Version ${String(version)}: ${count}${conflicts}.`;
}

/** Fields whose values are words of a list. */
const CHOICES = ['criticality', 'schedule_mode', 'repeat', 'weekday', 'period_rule', 'holiday_rule', 'approval'];

/** Names of records that tasks refer to, by id. */
interface Names {
  forms: ReadonlyMap<number, string>;
  units: ReadonlyMap<number, string>;
}

function words(field: string, value: unknown, { forms, units }: Names): string | null {
  if (value === null || value === undefined) return null;
  if (field === 'form_id') return forms.get(Number(value)) ?? null;
  if (field === 'subtasks') return pointsInWords(value, units);
  if (field === 'after_when')
    return (value as Row[])
      .map(({ task, days, condition }) => {
        const said = [
          ...(typeof days === 'number' ? [`due ${days} working days after it`] : []),
          ...(typeof condition === 'string' ? [`only if ${condition}`] : []),
        ];
        return `${String(task)}: ${said.join(', ')}`;
      })
      .join('\n');
  if (field === 'evidence')
    return inLines(value, (one) => [
      String(one.evidence_kind),
      one.required === true && 'required',
      one.camera_only === true && 'only with the camera',
      one.must_differ === true && 'must differ',
      typeof one.valid_days === 'number' && `valid for ${one.valid_days} days`,
    ]);
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value as string | number);
  return CHOICES.includes(field) ? text.replaceAll('_', ' ') : text;
}

const pointsInWords = (value: unknown, units: Names['units']): string | null =>
  inLines(value, (one) => [
    String(one.answer_type).replaceAll('_', ' '),
    one.mandatory === false && 'optional',
    ...['from_value', 'to_value'].map((name) => typeof one[name] === 'string' && one[name]),
    units.get(Number(one.unit_id)),
    typeof one.fails_on === 'string' && `fails on ${one.fails_on}`,
    typeof one.fail_action === 'string' &&
      one.fail_action !== 'none' &&
      `if it fails: ${one.fail_action.replaceAll('_', ' ')}`,
  ]);

/** Rows as lines of text, each with its facts in brackets; a fact that is no text is left out. */
function inLines(value: unknown, facts: (row: Row) => unknown[]): string | null {
  if (!Array.isArray(value)) return null;
  return (value as Row[])
    .map((row) => {
      const known = facts(row).filter((one) => typeof one === 'string');
      return `${String(row.title ?? row.label)} (${known.join(', ')})`;
    })
    .join('\n');
}

async function formTitles(unit: Unit, forms: readonly unknown[]): Promise<Map<number, string>> {
  const ids = forms.filter((one): one is number => typeof one === 'number');
  if (ids.length === 0) return new Map();
  const rows = await unit.query<{ id: number; title: string }>(
    'select id, title from {survey} where id = any($1::bigint[])',
    [ids],
  );
  return new Map(rows.map(({ id, title }) => [id, title]));
}

/** The names of the units of checkpoints. */
async function unitNames(unit: Unit, points: readonly unknown[]): Promise<Map<number, string>> {
  const ids = points
    .flatMap((list) => (Array.isArray(list) ? (list as Row[]) : []))
    .flatMap(({ unit_id: id }) => (typeof id === 'number' ? [id] : []));
  if (ids.length === 0) return new Map();
  const rows = await unit.query<{ id: number; name: string }>(
    'select id, name from {uom} where id = any($1::bigint[])',
    [ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
