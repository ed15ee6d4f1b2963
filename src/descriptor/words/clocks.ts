import type { Band } from '../../domain/sla_clock.ts';
import type { ScreenCheck } from '../check_context.ts';
import type { Clock } from '../clocks.ts';
import { compileFields } from '../compile_fields.ts';
import { compileExpression } from '../expression/compile_expression.ts';
import { humanise } from '../humanise.ts';
import { didYouMean } from '../source.ts';
import type { Field } from '../types.ts';
import { defineWord } from './word.ts';
import type { Path } from './word.ts';

interface WrittenClock {
  title?: string;
  runs: string[];
  pauses?: Record<string, true | string>;
  from?: string;
  target?: string | { minutes: number | string; calendar?: string };
  on?: string[];
  field?: string;
  bands?: Record<string, string | number>;
  by?: string[];
}

declare module '../types.ts' {
  interface WrittenWords {
    /** How long records have been in certain states, in business hours. */
    clocks?: Record<string, WrittenClock>;
  }
  interface ScreenWords {
    clocks?: Clock[];
  }
}

const names = { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, uniqueItems: true };
const fieldOf = (name: string, { field }: WrittenClock) => field ?? `${name}_by`;
const valueOf = (name: string) => `${name}_clock`;

export const clocks = defineWord<Record<string, WrittenClock>>({
  name: 'clocks',
  on: 'screen',
  after: ['workflow'],
  shape: {
    description: 'How long records have been in certain states, in business hours, and when they are due.',
    type: 'object',
    minProperties: 1,
    propertyNames: { pattern: '^[a-z][a-z0-9_]*$' },
    examples: [{ restore: { runs: ['open'], target: { minutes: 480 }, field: 'restore_by' } }],
    additionalProperties: {
      type: 'object',
      required: ['runs'],
      additionalProperties: false,
      properties: {
        title: { description: 'Default: derived from its name.', type: 'string', minLength: 1, maxLength: 40 },
        runs: { description: 'States in which it runs.', ...names },
        pauses: {
          description: 'States in which the clock is paused: true, or a path to a yes-or-no field.',
          type: 'object',
          minProperties: 1,
          additionalProperties: { anyOf: [{ const: true }, { type: 'string', minLength: 1 }] },
        },
        from: { description: 'The time from which it runs. Default: when the record was created.', type: 'string' },
        target: {
          description: 'A function of a module, or minutes (a number or an expression) and a reference to a calendar.',
          anyOf: [
            { type: 'string', pattern: '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$' },
            {
              type: 'object',
              required: ['minutes'],
              additionalProperties: false,
              properties: {
                minutes: {
                  anyOf: [
                    { type: 'number', exclusiveMinimum: 0 },
                    { type: 'string', minLength: 1 },
                  ],
                },
                calendar: { type: 'string', minLength: 1 },
              },
            },
          ],
        },
        on: { description: 'Fields whose change recalculates the target. Default: those of its expression.', ...names },
        field: {
          description: 'The field with the due time. Default: <name>_by.',
          $ref: '#/$defs/fieldName',
        },
        bands: {
          description: 'Events by name and their time: "75%" of the target, or minutes; negative: before the due time.',
          type: 'object',
          minProperties: 1,
          propertyNames: { pattern: '^[a-z][a-z0-9_]*$' },
          additionalProperties: { anyOf: [{ type: 'string', pattern: '^\\d{1,4}%$' }, { type: 'integer' }] },
        },
        by: { description: 'Fields for the current holder of the record: time is recorded per holder.', ...names },
      },
    },
  },
  fields: (written = {}, { fields, descriptor, source }) => {
    for (const [name, one] of Object.entries(written)) {
      const title = one.title ?? humanise(name);
      const made = {
        ...(one.target !== undefined && {
          [fieldOf(name, one)]: {
            'x-type': 'datetime',
            type: 'string',
            format: 'date-time',
            title: `${title} by`,
            readOnly: true,
          },
        }),
        [valueOf(name)]: { 'x-type': 'clock', type: 'object', title, readOnly: true },
      };
      for (const field of Object.keys(made))
        if (descriptor.schema.properties?.[field])
          source.report(
            ['schema', 'properties', field],
            `"${field}" is made by "clocks".`,
            'Take it out of the properties.',
          );
        else fields.push(...compileFields({ properties: { [field]: made[field]! } }, source, ['clocks', name]));
    }
  },
  compile: (written) => (written ? { clocks: Object.entries(written).map(([name, one]) => clockOf(name, one)) } : {}),
  join: (screen) => {
    // An index, because overdue records are searched in long lists.
    for (const { field, target } of screen.clocks ?? []) if (target) screen.index = [...screen.index, [field]];
  },
  check: (check) => {
    for (const clock of check.screen.clocks ?? []) checkClock(check, clock);
  },
  overlay: {
    needs: (screen, field) =>
      screen.clocks?.some(({ from, on, by, field: due, value }) => [from, due, value, ...on, ...by].includes(field)) ===
      true
        ? 'a clock is kept by it'
        : null,
  },
  chapter: 'Steps and looks',
  doc: [
    '**`clocks`**: how long a record has been in certain states (`runs`), in the business hours of its branch (Working',
    'hours in Settings), without holidays and week-offs. In a state of `pauses` the clock is paused: always, or if the',
    'field at the end of a path of references is true, as it was when the record entered the state. In any other state the',
    'clock has stopped; it continues if the record comes back. It starts when the record is created, or at the time in the',
    'field `from`.',
    '',
    '`target` is the number of minutes allowed: a number, an expression, or a function of a module, which may also return',
    'the calendar and more bands; `calendar` is a reference to working hours. The target stays unchanged until a field of',
    '`on` changes; the time elapsed until then still counts. The word creates two fields: the time at which the record is',
    'due (`field`, default `<name>_by`; empty while the clock is paused), and `<name>_clock`, which shows a countdown in',
    'the form and the list. Without a target the clock only measures time.',
    '',
    '`bands` are named points in time: `"75%"` of the target, or minutes (negative: before the due time). When one is',
    'reached, the event `<type>.<clock>_<band>` is published, each once per record; modules and `auto` can subscribe to it.',
    '`by` names fields for the person or group responsible for the record: `GET /tapi/<type>/<id>/clocks` returns the share',
    'of each in the time. The history records each change of the due time.',
  ],
  example: [
    {
      part: {
        workflow: {
          field: 'stage',
          states: { asked: {}, waiting: {}, ordered: { colour: 'brand' }, received: { is: 'closed' } },
          transitions: {
            order: { from: ['asked'], to: 'ordered' },
            wait: { from: ['ordered'], to: 'waiting' },
            go_on: { from: ['waiting'], to: 'ordered' },
            receive: { from: ['ordered'], to: 'received' },
          },
        },
        clocks: {
          delivery: {
            runs: ['ordered'],
            pauses: { waiting: true },
            target: { minutes: 'if(total > 100000, 960, 480)' },
            bands: { soon: '75%', late: '100%', very_late: 1440 },
          },
        },
      },
    },
  ],
});

function bandOf([name, at]: [string, string | number]): Band {
  return typeof at === 'number' ? { name, minutes: at } : { name, percent: Number(at.slice(0, -1)) };
}

function clockOf(name: string, written: WrittenClock): Clock {
  const { title, runs, pauses = {}, from, target, on, bands = {}, by = [] } = written;
  return {
    name,
    title: title ?? humanise(name),
    runs,
    pauses,
    ...(from !== undefined && { from }),
    ...(target !== undefined && { target: typeof target === 'string' ? { run: target } : target }),
    on: on ?? (typeof target === 'object' ? namesOf(target) : []),
    field: fieldOf(name, written),
    value: valueOf(name),
    bands: Object.entries(bands).map(bandOf),
    by,
  };
}

/** The fields that a target is computed from. */
function namesOf({ minutes, calendar }: { minutes: number | string; calendar?: string }): string[] {
  let used: string[] = [];
  try {
    used = typeof minutes === 'string' ? compileExpression(minutes).names : [];
  } catch {
    // Syntax errors are reported by the check.
  }
  const all = [...used, ...(calendar === undefined ? [] : [calendar])];
  return [...new Set(all.map((name) => name.split('.')[0]!))];
}

/** What `minutes` gives. */
const MINUTES: Field = {
  name: 'minutes',
  type: 'decimal',
  title: 'Minutes',
  required: false,
  schema: { type: 'string' },
  secret: false,
  readOnly: true,
};

function checkClock(check: ScreenCheck, clock: Clock): void {
  const at: Path = ['clocks', clock.name];
  const { workflow } = check.screen;
  if (!workflow) {
    check.report(at, 'A clock runs in states of a workflow.', 'Write "workflow" with the states.');
    return;
  }
  const states = workflow.states.map(({ name }) => name);
  for (const [word, own] of [
    ['runs', clock.runs],
    ['pauses', Object.keys(clock.pauses)],
  ] as const)
    for (const name of own)
      if (!states.includes(name)) check.report([...at, word], `There is no state "${name}".`, didYouMean(name, states));
  for (const [state, path] of Object.entries(clock.pauses)) {
    if (clock.runs.includes(state))
      check.report([...at, 'pauses', state], `It runs in "${state}".`, 'Name the state in one of them.');
    if (path !== true) check.serverExpression(path, [...at, 'pauses', state], 'condition');
  }
  const from = check.field(clock.from);
  if (clock.from !== undefined && !from) check.unknown([...at, 'from'], clock.from, check.names, '"from"');
  else if (from && from.type !== 'datetime')
    check.report([...at, 'from'], `"${from.name}" is of type ${from.type}.`, 'Choose a moment.');
  const { target } = clock;
  if (target && 'run' in target) {
    check.function('targets', target.run, [...at, 'target']);
    if (clock.on.length === 0)
      check.report(
        [...at, 'target'],
        'Nothing sets this target anew.',
        'Name under "on" the fields that it depends on.',
      );
  } else if (target) {
    if (typeof target.minutes === 'string')
      check.serverExpression(target.minutes, [...at, 'target', 'minutes'], MINUTES);
    if (target.calendar !== undefined) check.serverExpression(target.calendar, [...at, 'target', 'calendar'], MINUTES);
  }
  for (const word of ['on', 'by'] as const)
    for (const name of clock[word])
      if (!check.names.has(name)) check.unknown([...at, word], name, check.names, `"${word}"`);
  for (const band of clock.bands)
    if (!target && ('percent' in band || band.minutes < 0))
      check.report([...at, 'bands', band.name], 'There is no target that it could be a part of.', 'Write minutes.');
}
