import { checkAmend, checkEffects, checkGuards, checkReason, checkUndo } from './check_acts.ts';
import type { ScreenCheck } from './check_context.ts';
import { checkPerson } from './check_person.ts';
import { bandEvent } from './clocks.ts';
import { fieldType } from './fieldtypes/registry.ts';
import { pathTarget } from './shared_effects.ts';
import { didYouMean } from './source.ts';
import type { Field, Screen } from './types.ts';
import type { Auto, AutoEvent, Transition } from './workflow.ts';
import { BACK, BY_IMPORT, importOf, isDecision, isProductsOwn } from './workflow.ts';

type Path = (string | number)[];

/** Record calls that every type has. */
const RESERVED = new Set(['activate', 'deactivate', 'copy', 'history', 'links', 'insert', 'reasons']);

/**
 * An import creates records in states reached from the first one by transitions that need no reason: those of people,
 * or its own.
 */
function checkImport(check: ScreenCheck, states: string[]): void {
  const { import: opens = {}, transitions } = check.screen.workflow!;
  for (const [state, via] of Object.entries(opens)) {
    const at: Path = ['workflow', 'import', state];
    if (!states.includes(state)) {
      check.report(at, `There is no state "${state}".`, didYouMean(state, states));
      continue;
    }
    let from = states[0]!;
    for (const [index, name] of via.entries()) {
      const transition = transitions.find((one) => one.name === name);
      const to = index === via.length - 1 ? state : transition?.to;
      const isOwn = transition && isProductsOwn(transition) && !importOf(transition);
      if (!transition)
        check.report(
          at,
          `There is no transition "${name}".`,
          didYouMean(
            name,
            transitions.map((one) => one.name),
          ),
        );
      else if (transition.to === null || transition.to !== to || !transition.from.includes(from))
        check.report(
          at,
          `"${name}" does not lead from "${from}" to "${state}".`,
          'Name a transition that takes new records there, or write one.',
        );
      else if (transition.reason !== undefined || transition.reasonUse !== undefined || isOwn)
        check.report(
          at,
          `"${name}" ${isOwn ? 'is taken by the product alone' : 'asks for a reason, which no sheet gives'}.`,
          'Name another transition.',
        );
      from = transition?.to ?? from;
    }
  }
}

/** Checks the states of a type and its transitions. */
export function checkWorkflow(check: ScreenCheck): void {
  const { workflow } = check.screen;
  if (!workflow) return;
  const { amount } = workflow;
  const counted = check.field(amount);
  if (amount !== undefined && !counted) check.unknown(['workflow', 'amount'], amount, check.names, '"amount"');
  else if (counted && (!fieldType(counted.type).can.sum || counted.secret))
    check.report(
      ['workflow', 'amount'],
      `"${counted.name}" is not an amount: it is of type ${counted.type}.`,
      'Choose an amount or a number.',
    );
  workflow.reads?.forEach((type, at) => check.type(type, ['workflow', 'reads', at]));
  const states = workflow.states.map(({ name }) => name);
  checkImport(check, states);
  const reached = new Set([states[0]]);
  for (const { name, edit } of workflow.states) {
    if (typeof edit === 'boolean') continue;
    for (const [relation, fields] of Object.entries(edit)) {
      const at: Path = ['workflow', 'states', name, 'edit'];
      if (relation !== '*') checkPerson(check, relation, [...at, relation]);
      fields.forEach((one) => {
        const [field = '', column] = one.split('.');
        const known = check.field(field);
        if (!known) check.unknown(at, field, check.names, '"edit"');
        else if (column !== undefined && !known.rows?.some((inner) => inner.name === column))
          check.report(at, `"${field}" has no column "${column}".`);
      });
    }
  }
  for (const transition of workflow.transitions) {
    const at: Path = ['workflow', 'transitions', transition.name];
    if (RESERVED.has(transition.name))
      check.report(at, `"${transition.name}" is a call that every record has.`, 'Choose another name.');
    for (const name of transition.from)
      if (!states.includes(name))
        check.report([...at, 'from'], `There is no state "${name}".`, didYouMean(name, states));
    if (transition.to !== null && transition.to !== BACK) {
      if (!states.includes(transition.to))
        check.report([...at, 'to'], `There is no state "${transition.to}".`, didYouMean(transition.to, states));
      reached.add(transition.to);
    }
    if (transition.when !== undefined) checkExpression(check, transition.when, [...at, 'when']);
    checkGuards(check, transition.guard, [...at, 'guard']);
    checkEffects(check, transition.effects, [...at, 'effects']);
    checkUndo(check, transition, at);
    checkReason(check, transition, at);
    checkAmend(check, transition, at);
    transition.locks?.forEach((path, index) => pathTarget(check, path, [...at, 'locks', index]));
    for (const { field } of transition.ask) {
      if (!check.names.has(field)) check.unknown([...at, 'ask'], field, check.names, '"ask"');
      // Otherwise the answer would choose the state, bypassing the transitions that lead there.
      else if (field === workflow.field) check.report([...at, 'ask'], 'The state is set by "to".', 'Leave it out.');
    }
    for (const [field, text] of Object.entries(transition.set)) {
      if (!check.names.has(field)) check.unknown([...at, 'set', field], field, check.names, '"set"');
      else if (field === workflow.field)
        check.report([...at, 'set', field], 'The state is set by "to".', 'Leave it out.');
      else if (text !== 'me') checkExpression(check, text, [...at, 'set', field], check.field(field)!);
    }
    transition.auto?.forEach((one, index) => {
      const several = Array.isArray(check.descriptor.workflow?.transitions[transition.name]?.auto);
      checkAuto(check, transition, one, [...at, 'auto', ...(several ? [index] : [])]);
    });
    transition.who?.forEach((one, index) => checkPerson(check, one, [...at, 'who', index]));
    checkDecides(check, transition, at);
  }
  const { insert } = workflow;
  checkGuards(check, insert?.guard ?? [], ['workflow', 'insert', 'guard']);
  checkEffects(check, insert?.effects ?? [], ['workflow', 'insert', 'effects']);
  checkLate(check, states);
  for (const name of states)
    if (!reached.has(name))
      check.report(
        ['workflow', 'states', name],
        `No transition leads to "${name}".`,
        'Add one, or leave the state out.',
      );
}

/** The usual approvers are relations of the record, and the transition decides a request. */
function checkDecides(check: ScreenCheck, transition: Transition, at: Path): void {
  const { decides, name } = transition;
  if (!decides) return;
  if (!isDecision(transition))
    check.report(
      [...at, 'decides'],
      `"${name}" does not decide a request of somebody else.`,
      'Leave it out, or exclude the requester with "who" and "right".',
    );
  decides.forEach((one, index) => {
    if (/^(role|action):|^!/.test(one))
      check.report([...at, 'decides', index], `"${one}" is not a relation of this type.`, 'Name a relation.');
    else checkPerson(check, one, [...at, 'decides', index]);
  });
}

/** A change that comes too late is kept in states that exist, for people who are related to the record. */
function checkLate(check: ScreenCheck, states: string[]): void {
  const { late } = check.screen.workflow!;
  if (!late) return;
  late.in.forEach((name, at) => {
    if (!states.includes(name))
      check.report(['workflow', 'late', 'in', at], `There is no state "${name}".`, didYouMean(name, states));
  });
  late.who.forEach((one, at) => checkPerson(check, one, ['workflow', 'late', 'who', at]));
  checkEffects(check, late.effects, ['workflow', 'late', 'effects']);
}

/** One case in which the product takes a transition automatically. */
function checkAuto(check: ScreenCheck, transition: Transition, auto: Auto, at: Path): void {
  if (auto.when !== undefined) checkExpression(check, auto.when, [...at, 'when']);
  for (const word of ['made', 'unmade'] as const) {
    const type = auto[word];
    const made = (check.screen.makes ?? []).map(({ to }) => to);
    if (type !== undefined && !made.includes(type))
      check.report([...at, word], `"makes" makes no "${type}" of this.`, didYouMean(type, made));
  }
  const { date, event, by, at: moment } = auto;
  if (by === BY_IMPORT) {
    if (!Object.values(check.screen.workflow!.import ?? {}).some((via) => via.includes(transition.name)))
      check.report([...at, 'by'], `"import" of the workflow does not name "${transition.name}".`, 'Add it there.');
    if (moment !== undefined && check.field(moment)?.type !== 'datetime')
      check.report([...at, 'at'], `"${moment}" is not a field with a date and a time.`);
    return;
  }
  if (by !== undefined) {
    const jobs = check.all.functions('jobs');
    const known = [...(jobs ?? []), ...(check.all.functions('effects') ?? [])];
    if (jobs && !known.includes(by))
      check.report([...at, 'by'], `There is no job and no effect "${by}".`, didYouMean(by, known));
    // It passes the values that the transition asks for.
    return;
  }
  if (transition.ask.some(({ required }) => required) || transition.reason !== undefined)
    check.report(at, 'The product answers no questions.', 'Leave "reason" out, and "!" behind what is asked.');
  if (date) {
    const field = check.field(date.field);
    if (!field) check.unknown([...at, 'date'], date.field, check.names, '"date"');
    else if (field.type !== 'date' && field.type !== 'datetime')
      check.report([...at, 'date'], `"${field.name}" is of type ${field.type}.`, 'Choose a date, or a moment.');
    if (typeof date.after === 'string') checkExpression(check, date.after, [...at, 'after'], AFTER);
    if (date.when !== undefined) checkExpression(check, date.when, [...at, 'when']);
    // It would be due again at once, endlessly.
    if (transition.to === null || transition.from.includes(transition.to))
      check.report(at, 'After this step it would be due again.', 'Let "to" lead to a state that is not in "from".');
  }
  if (event) checkEvent(check, event, at);
}

/** What `after` gives. */
const AFTER: Field = {
  name: 'after',
  type: 'decimal',
  title: 'After',
  required: false,
  schema: { type: 'string' },
  secret: false,
  readOnly: true,
};

function checkEvent(check: ScreenCheck, { name, record }: AutoEvent, at: Path): void {
  const [type = '', what = ''] = name.split('.');
  const of = check.all.drafts.get(type)?.screen;
  if (of) {
    const known = [
      'created',
      'changed',
      'removed',
      ...(of.workflow?.transitions ?? []).map((one) => one.name),
      ...(of.clocks ?? []).flatMap((clock) => clock.bands.map((band) => bandEvent(clock, band.name))),
    ];
    if (!known.includes(what))
      check.report([...at, 'event'], `Nothing of that name happens to ${type}.`, didYouMean(what, known));
  } else check.function('events', name, [...at, 'event']);
  if (!('path' in record)) {
    const field = check.field(record.of);
    if (!field?.ref) check.unknown([...at, 'record', 'of'], record.of, check.names, '"of"');
    else if (of && field.ref.type !== type)
      check.report([...at, 'record', 'of'], `"${record.of}" does not refer to ${type}.`, 'Name a reference to it.');
    if (record.filter)
      check.filter(record.filter, check.screen, [...at, 'record', 'filter'], 'Write ["status", "eq", "open"].');
    return;
  }
  if (!of) return;
  let screen: Screen | undefined = of;
  for (const [step, part] of record.path.entries()) {
    if (part === 'id' && step === record.path.length - 1) break;
    const field: Field | undefined = screen?.fields.find((one) => one.name === part);
    if (!field?.ref) {
      const known = (screen?.fields ?? []).filter((one) => one.ref).map((one) => one.name);
      check.report(
        [...at, 'record'],
        `"${part}" is not a reference of ${screen?.name ?? type}.`,
        didYouMean(part, known),
      );
      return;
    }
    screen = check.all.drafts.get(field.ref.type)?.screen;
  }
  if (screen && screen.name !== check.screen.name)
    check.report(
      [...at, 'record'],
      `"${record.path.join('.')}" leads to ${screen.name}.`,
      `Let it lead from ${type} to ${check.screen.name}.`,
    );
}

/** An expression of a transition: on the record, the answers, and the records behind its references. */
function checkExpression(check: ScreenCheck, text: string, at: Path, purpose: Field | 'condition' = 'condition'): void {
  check.serverExpression(text, at, purpose, ['reason']);
}
