import { parameterForm } from '../../../descriptor/parameter_form.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import { stateOf } from '../../../descriptor/workflow.ts';
import type { RecordAction, Screen, WireRecord } from '../../../descriptor/types.ts';
import { AppError, invalid, notFound } from '../../db/errors.ts';
import { labelled } from '../fills/run_fills.ts';
import type { FillDeps } from '../fills/run_fills.ts';
import type { ActionCall } from '../modules.ts';
import { openedFields } from '../../../descriptor/opened_fields.ts';
import { readRecord, readRecords } from '../records/read.ts';
import { referenceErrors } from '../records/references.ts';
import { findErrors, prepare, unstorable } from '../records/validate_record.ts';
import { openFields } from '../workflow/locked_fields.ts';
import { holds } from '../workflow/values.ts';

type Row = Record<string, unknown>;

/** What an action is applied to: a stored record, a form, a selection, or the list. */
export interface ActionInput {
  run: string;
  on: string;
  params: Row;
  /** A stored record; for a form, the one being changed. */
  id: number | null;
  version: number | null;
  /** Values of a form. */
  values: Row | null;
  /** Positions of the rows selected in the form. */
  rows: number[];
  /** The selection of a list. */
  ids: number[];
  /** The record from which the form's new record is being created. */
  madeFrom?: ActionCall['madeFrom'];
}

export interface ActionAnswer {
  /** The values for the form; null = they were stored. */
  set: Row | null;
  done: string | null;
}

export interface ActionDeps extends FillDeps {
  /** The relations of the person, or of their delegators, to a record. */
  standsAs(stored: WireRecord): Promise<string[]>;
  asTyped(values: Row, stored: WireRecord | null): Promise<Row>;
  stale(stored: WireRecord, version: number): Promise<AppError>;
  update(screen: Screen, id: number, set: Row): Promise<WireRecord>;
}

const forms = new WeakMap<RecordAction, Screen>();

/** The action of a screen with this function. @throws AppError 404 */
export function actionNamed({ actions }: Screen, run: string, on: string): RecordAction {
  const action = actions.find((one) => one.run === run && one.on === on);
  if (!action) throw notFound();
  return action;
}

/** Runs an action within a unit of work, which a form rolls back. @throws AppError 403, 404, 409, 422 */
export async function runAction(deps: ActionDeps, input: ActionInput): Promise<ActionAnswer> {
  const { session, screen, screens, functions } = deps;
  const { run, on, id, version, values } = input;
  const action = actionNamed(screen, run, on);
  const found = functions.actions.get(run);
  const { services } = functions;
  if (!found || !services) throw new Error(`There is no action "${run}".`);
  const params = await checkedParams(deps, action, input.params);
  const isForm = values !== null;
  const { rows, madeFrom = null } = input;
  const call = { unit: deps.unit(), services, input: params, record: null, records: [], rows, isForm, madeFrom };
  if (on === 'list') return answer(await found.run(call), null);
  if (on === 'selection') {
    const ids = [...new Set(input.ids)].toSorted((one, other) => one - other);
    for (const one of ids) await deps.unit().read(screen.name, one, { lock: true });
    const records = await readRecords(session, screen, screens, ids);
    for (const record of records) await refuseUnfit(deps, action, record, record);
    const given = await found.run({ ...call, records });
    if (given.set) for (const one of ids) await store(deps, one, given.set);
    return answer(given, null);
  }
  const stored = id === null ? null : await readLocked(deps, id, isForm);
  if (stored && version !== null && version !== stored.version && !isForm) throw await deps.stale(stored, version);
  const typed = isForm ? { ...stored, ...withSources(await deps.asTyped(values, stored), values) } : null;
  const record = (typed ?? stored) as WireRecord | null;
  if (!record) throw notFound();
  await refuseUnfit(deps, action, record, stored);
  const given = await found.run({ ...call, record });
  const list = on.startsWith('rows:') ? on.slice('rows:'.length) : null;
  const set: Row = { ...given.set, ...(list !== null && given.rows && { [list]: given.rows }) };
  if (isForm) return answer(given, await inForm(deps, set));
  if (Object.keys(set).length > 0) await store(deps, record.id, set);
  return answer(given, null);
}

/** Rows of a new record keep the rows from which they were created. */
function withSources(record: Row, values: Row): Row {
  for (const [name, given] of Object.entries(values)) {
    const rows = record[name];
    if (!Array.isArray(given) || !Array.isArray(rows) || given.length !== rows.length) continue;
    for (const [at, row] of (given as unknown[]).entries())
      if (typeof row === 'object' && row !== null && '_source' in row) (rows[at] as Row)._source = row._source;
  }
  return record;
}

const answer = ({ done }: { done?: string }, set: Row | null): ActionAnswer => ({ set, done: done ?? null });

function readLocked({ session, screen, screens, unit }: ActionDeps, id: number, isForm: boolean): Promise<WireRecord> {
  return isForm ? readRecord(session, screen, screens, id) : unit().read(screen.name, id, { lock: true });
}

/** The answers, by parameter. @throws AppError 422 */
async function checkedParams({ session, screen, screens }: ActionDeps, action: RecordAction, given: Row): Promise<Row> {
  const form =
    forms.get(action) ??
    parameterForm(screen, action.params ?? [], { landing: screen.routes.landing, menu: screen.menu });
  forms.set(action, form);
  const { record, errors } = prepare(form, given, null);
  errors.push(...findErrors(form, record), ...unstorable(form, record));
  if (errors.length === 0) errors.push(...(await referenceErrors(session, form, screens, record, null)));
  if (errors.length > 0) throw invalid(errors);
  return record;
}

async function refuseUnfit(
  { session, screen, screens, standsAs }: ActionDeps,
  action: RecordAction,
  record: Row,
  stored: WireRecord | null,
): Promise<void> {
  const { who } = action;
  // An unsaved record belongs to the person who enters it.
  if (who && stored) {
    const stands = await standsAs(stored);
    if (!who.some((relation) => stands.includes(relation)))
      throw new AppError(403, 'forbidden', `"${action.title}" is for others: you are not among those who do it.`, {
        reason: 'row',
      });
  }
  if (await holds({ session, screen, screens, record }, action.when)) return;
  throw new AppError(
    409,
    'bad_state',
    `"${action.title}" is not possible for this ${inSentence(screen.title)} as it is.`,
  );
}

/** What people enter, an action changes only in states in which they may change it. @throws AppError 409 */
async function store(deps: ActionDeps, id: number, set: Row): Promise<void> {
  const { session, screen, screens } = deps;
  const stored = await readRecord(session, screen, screens, id);
  const open = await openFields(session, screens, screen, stored);
  const isOpen = (name: string) => open === null || [...open].some((one) => one === name || one.startsWith(`${name}.`));
  const fixed = screen.fields.find((field) => field.name in set && field.readOnly !== true && !isOpen(field.name));
  if (fixed)
    throw new AppError(
      409,
      'bad_state',
      `This ${inSentence(screen.title)} is "${stateOf(screen.workflow!, stored).title}": ${fixed.title} can no longer be changed.`,
      { field: fixed.name },
    );
  await deps.update(openedFields(screen, Object.keys(set)), id, { ...set, version: stored.version });
}

/** The values for a form, with the labels of references. */
async function inForm(deps: ActionDeps, set: Row): Promise<Row> {
  const { fields } = deps.screen;
  const taken = await labelled(deps, fields, Object.keys(set), set);
  for (const { name, rows } of fields)
    if (rows && Array.isArray(set[name]))
      taken[name] = await Promise.all(
        (set[name] as Row[]).map(async (row) => ({ ...row, ...(await labelled(deps, rows, Object.keys(row), row)) })),
      );
  return taken;
}
