import type { Laying } from './word.ts';
import { board } from './looks/board.ts';
import { calendar } from './looks/calendar.ts';
import type { AnyLook } from './looks/look.ts';
import { map } from './looks/map.ts';
import { steps } from './looks/steps.ts';
import { thread } from './looks/thread.ts';
import { treePreview } from './looks/tree_preview.ts';
import { timeline } from './looks/timeline.ts';
import type { LookName, Screen, ScreenLooks, WrittenLooks } from '../types.ts';
import { defineWord } from './word.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** Other ways to show the list, each at the list's address with `?as=`. */
    looks?: WrittenLooks;
  }
  interface ScreenWords {
    looks?: ScreenLooks;
  }
}

/** Every look, in the order in which the list offers them. */
const LOOKS: readonly AnyLook[] = [board, calendar, timeline, thread, map, steps, treePreview];

/** The looks of a screen, each with its compiled definition. */
function* looksOf(looks: ScreenLooks | undefined): Iterable<[AnyLook, never]> {
  for (const look of LOOKS) if (looks?.[look.name]) yield [look, looks[look.name] as never];
}

/** The names of a screen's looks. */
export function lookNames({ looks }: Pick<Screen, 'looks'>): LookName[] {
  return [...looksOf(looks)].map(([{ name }]) => name);
}

const laid = (laying: Laying): Partial<Screen> => {
  const { looks } = laying.product;
  return looks
    ? {
        looks: Object.fromEntries(
          [...looksOf(looks)].map(([look, one]) => [look.name, look.lay ? look.lay(one, laying) : one]),
        ),
      }
    : {};
};

/** Indexes with which the looks find their rows. */
export function lookKeys(looks: ScreenLooks | undefined): string[][] {
  return [...looksOf(looks)].flatMap(([look, one]) => look.index?.(one) ?? []);
}

export const looks = defineWord<WrittenLooks>({
  name: 'looks',
  on: 'screen',
  shape: {
    description: "Other ways to show the list, each at the list's address with ?as= and its name.",
    type: 'object',
    minProperties: 1,
    additionalProperties: false,
    examples: [{ board: { by: 'stage' } }],
    properties: Object.fromEntries(LOOKS.map(({ name, shape }) => [name, shape])),
  },
  after: ['label', 'workflow'],
  compile: (written, compiling) =>
    written
      ? {
          looks: Object.fromEntries(
            LOOKS.flatMap((look) =>
              written[look.name] ? [[look.name, look.compile(written[look.name] as never, compiling)]] : [],
            ),
          ) as ScreenLooks,
        }
      : {},
  check: (check) => {
    for (const [look, one] of looksOf(check.screen.looks)) look.check(one, check);
  },
  overlay: {
    needs: (screen, field) => {
      for (const [look, one] of looksOf(screen.looks)) {
        const why = look.needs(one, field);
        if (why !== null) return why;
      }
      return null;
    },
    writes: (screen, field) =>
      screen.looks?.board?.by === field ? 'goes on by its steps: untick the pages that take them' : null,
    lay: laid,
  },
  chapter: 'Steps and looks',
  doc: [
    "**`looks`**: other ways to show the list, beside the grid, each at the list's address with `?as=` and the name of the",
    "look. All keep the list's search and filters, show only what the reader may see, and are updated as others make",
    'changes.',
    '',
    ...LOOKS.flatMap(({ doc }) => [...doc, '']).slice(0, -1),
  ],
  example: [
    {
      part: {
        workflow: {
          field: 'stage',
          states: { asked: {}, ordered: { colour: 'brand' }, received: { is: 'closed' } },
          transitions: {
            order: { from: ['asked'], to: 'ordered', ask: ['due_on!'] },
            receive: { from: ['ordered'], to: 'received' },
            postpone: { from: ['ordered'], to: 'ordered', ask: ['due_on!'] },
            take_back: { from: ['ordered'], to: 'asked' },
          },
        },
        looks: {
          board: { by: 'stage', sum: 'total', card: ['ordered_on', 'due_on'] },
          calendar: { date: 'due_on', title: 'supplier', move: 'postpone' },
          steps: { card: ['supplier', 'due_on'] },
          timeline: { from: 'ordered_on', to: 'due_on', lane: 'supplier' },
        },
      },
    },
    {
      part: {
        schema: {
          required: ['number', 'ordered_on'],
          properties: {
            number: { $ref: 'types#code' },
            ordered_on: { $ref: 'types#date' },
            due_on: { $ref: 'types#date' },
            supplier: { $ref: 'types#name' },
            status: { enum: ['open'] },
            total: { $ref: 'types#money' },
            place: { $ref: 'types#geo' },
            calls: {
              type: 'array',
              items: {
                type: 'object',
                required: ['at', 'kind', 'note'],
                properties: {
                  at: { $ref: 'types#datetime' },
                  kind: { enum: ['call', 'mail'], default: 'call' },
                  note: { $ref: 'types#text' },
                },
              },
            },
          },
        },
        looks: { thread: { posts: 'calls', kinds: 'kind' }, map: { at: 'place', order: 'due_on' } },
      },
    },
  ],
});
