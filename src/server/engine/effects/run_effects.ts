import { markedArguments } from '../../../descriptor/marked_arguments.ts';
import type { JsonSchema, WireRecord } from '../../../descriptor/types.ts';
import type { NamedUse, Transition } from '../../../descriptor/workflow.ts';
import type { Ref } from '../events/ref.ts';
import type { Call, Effect, NamedFunctions } from '../modules.ts';
import type { Unit, UnitLimits } from '../records/unit.ts';
import { ledTo } from '../workflow/led_to.ts';
import type { Surroundings } from '../workflow/values.ts';
import { valueIn } from '../workflow/values.ts';
import { effectsToUndo, logEffect, markUndone } from './effect_log.ts';
import { handInEffect } from './hand_in.ts';
import { makeEffect } from './make.ts';
import { moveEffect } from './move.ts';
import { emitEffect, notifyEffect } from './say.ts';
import { mailEffect } from './mail.ts';
import { printEffect } from './print.ts';
import { setEffect } from './set.ts';
import type { SharedEffect } from './shared_call.ts';
import { plain } from './shared_call.ts';

type Row = Record<string, unknown>;

const SHARED: Readonly<Record<string, SharedEffect>> = {
  set: setEffect,
  move: moveEffect,
  makes: makeEffect,
  emit: emitEffect,
  notify: notifyEffect,
  print: printEffect,
  mail: mailEffect,
  hand_in: handInEffect,
};

export interface EffectDeps {
  functions: NamedFunctions;
  unit(limits?: UnitLimits): Unit;
}

/** The context of effects: the record now and before, and the answers. */
export interface Act {
  around: Surroundings;
  before: WireRecord | null;
  input: Row;
  /** The transition and its log entry. */
  transition: string;
  logId: number | null;
}

/** The arguments passed to a function: expressions as their values. */
export async function argumentsOf(around: Surroundings, schema: JsonSchema | undefined, args: Row): Promise<Row> {
  const marked = markedArguments(schema, args).filter(({ mark }) => mark === 'x-expr');
  if (marked.length === 0) return args;
  const given = structuredClone(args);
  for (const { path, value } of marked) {
    let at = given as Record<string | number, unknown>;
    for (const step of path.slice(0, -1)) at = at[step] as typeof at;
    at[path.at(-1)!] = plain(await valueIn(around, value));
  }
  return given;
}

/** Prepares the call of one effect, of the engine or of a module. */
class Running {
  readonly use: NamedUse;
  readonly #shared: SharedEffect | undefined;
  readonly #own: Effect | undefined;
  readonly #deps: EffectDeps;

  constructor(deps: EffectDeps, use: NamedUse) {
    this.use = use;
    this.#deps = deps;
    this.#shared = SHARED[use.name];
    this.#own = deps.functions.effects.get(use.name);
    if (!this.#shared && !this.#own) throw new Error(`There is no effect "${use.name}".`);
  }

  get isLate(): boolean {
    return (this.#shared ?? this.#own)?.late === true;
  }

  get isReversible(): boolean {
    return (this.#shared ?? this.#own)?.reverse !== undefined;
  }

  /** `args`: the logged arguments, when it is undone. */
  async #call(act: Act, args?: Row): Promise<Call> {
    const { around, before, input } = act;
    const record = around.record as WireRecord;
    const unit = this.#deps.unit({
      elevated: this.#shared !== undefined || this.#own?.elevated === true,
      late: this.isLate,
    });
    return {
      unit: this.#shared ? unit.elevated() : unit,
      services: this.#deps.functions.services!,
      args: args ?? (await argumentsOf(around, this.#own?.args, this.use.args)),
      type: around.screen.name,
      record,
      before,
      input,
    };
  }

  async locks(act: Act, logged?: { args: Row; result: unknown }): Promise<Ref[]> {
    const one = this.#shared ?? this.#own;
    if (!one?.locks) return [];
    const call = await this.#call(act, logged?.args);
    const done = logged?.result;
    return this.#shared ? this.#shared.locks!({ ...call, around: act.around }, done) : this.#own!.locks!(call, done);
  }

  async apply(act: Act): Promise<{ args: Row; result: unknown }> {
    const call = await this.#call(act);
    const result = this.#shared
      ? await this.#shared.apply({ ...call, around: act.around })
      : await this.#own!.apply(call);
    return { args: call.args, result };
  }

  async applyMany(acts: readonly Act[]): Promise<void> {
    const calls = [];
    for (const act of acts) calls.push({ ...(await this.#call(act)), around: act.around });
    const together = this.#shared?.applyMany ?? this.#own?.applyMany;
    if (together) return together(calls);
    for (const call of calls) await (this.#shared ? this.#shared.apply(call) : this.#own!.apply(call));
  }

  /** Whether it can be part of a transition of many records: it locks nothing else, and nothing undoes it. */
  get isForMany(): boolean {
    const one = this.#shared ?? this.#own;
    return one?.locks === undefined && !this.isLate && !this.isReversible;
  }

  async reverse(act: Act, args: Row, result: unknown): Promise<void> {
    if (!this.isReversible) throw new Error(`The effect "${this.use.name}" cannot be undone.`);
    const call = await this.#call(act, args);
    await (this.#shared
      ? this.#shared.reverse!({ ...call, around: act.around }, result)
      : this.#own!.reverse!(call, result));
  }
}

/**
 * Runs effects in order, those before the number is assigned or, with `late`, those after it; results that can be
 * undone are logged.
 */
export async function runEffects(deps: EffectDeps, effects: NamedUse[], act: Act, late = false): Promise<void> {
  for (const [place, use] of effects.entries()) {
    const running = new Running(deps, use);
    if (running.isLate !== late) continue;
    const { args, result } = await running.apply(act);
    if (!running.isReversible) continue;
    const { session, screen, record } = act.around;
    const { logId, transition } = act;
    await logEffect(session, {
      logId,
      type: screen.name,
      id: Number(record.id),
      transition,
      place,
      effect: use.name,
      args,
      result,
    });
  }
}

/** Whether the effects of a transition can be run for many records at once. */
export const areForMany = (deps: EffectDeps, effects: readonly NamedUse[]): boolean =>
  effects.every((use) => new Running(deps, use).isForMany);

/** Runs the effects of one transition of many records in order, each for all of them. */
export async function runEffectsOfMany(
  deps: EffectDeps,
  effects: readonly NamedUse[],
  acts: readonly Act[],
): Promise<void> {
  if (acts.length === 0) return;
  for (const use of effects) await new Running(deps, use).applyMany(acts);
}

/** Undoes the effects of the record's transitions, last first. */
export async function undoEffects(deps: EffectDeps, undo: readonly string[], act: Act): Promise<void> {
  const { session, screen, record } = act.around;
  for (const { id, effect, args, result } of await effectsToUndo(session, screen.name, Number(record.id), undo)) {
    await new Running(deps, { name: effect, args }).reverse(act, args, result);
    await markUndone(session, id, act.logId!);
  }
}

/** The other records that a transition changes or relies on, as far as they are known in advance. */
export async function locksOf(deps: EffectDeps, transition: Transition, act: Act): Promise<Ref[]> {
  const { locks = [], effects, undo } = transition;
  const { session, screen, record } = act.around;
  const refs: Ref[] = [];
  for (const path of locks)
    refs.push(...(await ledTo(act.around, path)).map((led) => ({ type: led.screen.name, id: led.id })));
  for (const use of effects) refs.push(...(await new Running(deps, use).locks(act)));
  if (undo)
    for (const logged of await effectsToUndo(session, screen.name, Number(record.id), undo))
      refs.push(...(await new Running(deps, { name: logged.effect, args: logged.args }).locks(act, logged)));
  return refs;
}
