import { checkPublic } from '../check_public.ts';
import type { PrintBlock } from '../prints.ts';
import { isShownOnly } from '../public_page.ts';
import type { PublicPage } from '../public_page.ts';
import type { JsonSchema } from '../types.ts';
import { defineWord } from './word.ts';

interface WrittenPublic {
  route: string;
  title?: string;
  text?: string;
  token?: { type: string; path: string };
  may: 'create' | 'answer' | string[];
  fields?: string[];
  choices?: Record<string, string>;
  set?: Record<string, string>;
  shows?: (string | PrintBlock)[];
  prints?: string[];
  uses?: number;
  days?: number;
  limit?: { token_hour?: number; address_minute?: number };
  explains?: boolean;
  done?: string;
  when?: string;
  follow?: {
    title?: string;
    text?: string;
    may: string[];
    fields?: string[];
    shows?: (string | PrintBlock)[];
    days?: number;
    done?: string;
  };
}

declare module '../types.ts' {
  interface WrittenWords {
    /** What people without an account may do through a link. */
    public?: WrittenPublic;
  }
  interface ScreenWords {
    public?: PublicPage;
    /** Types whose public pages are opened by links of records of this type. */
    publicOf?: string[];
  }
}

const text: JsonSchema = { type: 'string', minLength: 1 };
const names: JsonSchema = { type: 'array', items: text, minItems: 1, uniqueItems: true };
const count: JsonSchema = { type: 'integer', minimum: 1, maximum: 100_000 };

/** Paths, tables of rows and texts that a page shows of a record. */
const shown: JsonSchema = {
  type: 'array',
  minItems: 1,
  items: {
    anyOf: [
      text,
      {
        type: 'object',
        required: ['table', 'columns'],
        additionalProperties: false,
        properties: { table: text, columns: names, title: text, group: text, sum: names, when: text },
      },
      {
        type: 'object',
        required: ['text'],
        additionalProperties: false,
        properties: { text, bold: { type: 'boolean' }, when: text },
      },
    ],
  },
};

/** The default limit of calls per address and minute; each answer is a call. */
const ADDRESS_MINUTE = 30;
const ANSWERS_MINUTE = 1200;

export const publicWord = defineWord<WrittenPublic>({
  name: 'public',
  on: 'screen',
  after: ['workflow', 'print'],
  shape: {
    description: 'What people without an account may do with a link: add a record, or take it through a transition.',
    type: 'object',
    required: ['route', 'may'],
    additionalProperties: false,
    examples: [{ route: '/offer/public/:token', may: ['accept'], fields: ['order_no'], shows: ['title'] }],
    properties: {
      route: { description: 'Address of the page; ends in /public/:token.', ...text },
      title: { description: 'Heading of the page. Default: the title of the type.', ...text, maxLength: 80 },
      text: { description: 'Text above the form, with paths in braces.', ...text },
      token: {
        description: 'The record of the link, if it is another one, and the reference from a new record to it.',
        type: 'object',
        required: ['type', 'path'],
        additionalProperties: false,
        properties: { type: text, path: { $ref: '#/$defs/fieldName' } },
      },
      may: {
        description:
          'Add a record, answer the questionnaire of the record, or take these transitions of the record that the link belongs to; [] = only see what is shown.',
        anyOf: [{ enum: ['create', 'answer'] }, { ...names, minItems: 0 }],
      },
      fields: { description: 'Fields to fill in: simple fields and fixed choices.', ...names },
      choices: {
        description: 'Restricts a fixed choice to the values in a column of rows: {"chosen_option": "options.option"}.',
        type: 'object',
        minProperties: 1,
        additionalProperties: text,
      },
      set: {
        description: 'Further fields of a new record, as expressions.',
        type: 'object',
        minProperties: 1,
        additionalProperties: text,
      },
      shows: {
        description:
          'What is shown of the record that the link belongs to: paths, tables of rows, and texts as in prints.',
        ...shown,
      },
      prints: { description: 'Documents of "print" that can be opened once they have been issued.', ...names },
      uses: {
        description: 'How often a link can be used. Default: once for transitions, otherwise unlimited.',
        ...count,
      },
      days: { description: 'Days until a link expires. Default: 90 for transitions, otherwise never.', ...count },
      limit: {
        type: 'object',
        minProperties: 1,
        additionalProperties: false,
        properties: {
          token_hour: { description: 'Maximum writes per link and hour. Default: unlimited.', ...count },
          address_minute: {
            description: `Calls from one address in a minute. Default ${ADDRESS_MINUTE}, where answers are given ${ANSWERS_MINUTE}.`,
            ...count,
          },
        },
      },
      explains: {
        description:
          'A link says that it was used or that its record has moved on. Default: such a link appears not to exist.',
        type: 'boolean',
      },
      done: { description: 'Message shown afterwards.', ...text, maxLength: 300 },
      when: { description: 'Only for records of the link that meet this condition, as an expression.', ...text },
      follow: {
        description: 'A separate page for an added record, with a link for the person who added it.',
        type: 'object',
        required: ['may'],
        additionalProperties: false,
        properties: {
          title: { description: 'Heading of the page.', ...text, maxLength: 80 },
          text: { description: 'Text above, with paths in braces.', ...text },
          may: { description: 'Transitions that it allows.', ...names },
          fields: { description: 'Fields that these ask for.', ...names },
          shows: {
            description: 'What is shown of the record: paths, tables of rows, and texts.',
            ...shown,
          },
          days: { description: 'Days until the link expires. Default: 90.', ...count },
          done: { description: 'Message shown afterwards.', ...text, maxLength: 300 },
        },
      },
    },
  },
  compile: (written, { screen }) => {
    if (!written) return {};
    const { route, title, text: said, token, may, fields, choices, set, shows = [], prints, limit = {} } = written;
    const isNew = may === 'create';
    const answers = may === 'answer';
    const shownOnly = isShownOnly({ may });
    return {
      public: {
        route,
        title: title ?? screen.title,
        text: said ?? null,
        of: token ?? null,
        may,
        fields: fields ?? [],
        choices: choices ?? {},
        set: set ?? {},
        shows: shows.map((one): PrintBlock => (typeof one === 'string' ? { box: [one] } : one)),
        prints: prints ?? [],
        uses: written.uses ?? (isNew || answers || shownOnly ? null : 1),
        days: written.days ?? (isNew ? null : 90),
        limit: {
          tokenHour: limit.token_hour ?? null,
          addressMinute: limit.address_minute ?? (answers ? ANSWERS_MINUTE : ADDRESS_MINUTE),
        },
        explains: written.explains === true,
        done: written.done ?? 'Thank you.',
        when: written.when ?? null,
        follow: written.follow
          ? {
              title: written.follow.title ?? screen.title,
              text: written.follow.text ?? null,
              may: written.follow.may,
              fields: written.follow.fields ?? [],
              shows: (written.follow.shows ?? []).map((one): PrintBlock =>
                typeof one === 'string' ? { box: [one] } : one,
              ),
              uses: null,
              days: written.follow.days ?? 90,
              explains: true,
              done: written.follow.done ?? 'Thank you.',
            }
          : null,
      },
    };
  },
  check: checkPublic,
  link: (screen, screens) => {
    const of = [...screens.values()].filter(
      ({ name, public: page }) =>
        page && ((page.of?.type ?? name) === screen.name || (page.may === 'answer' && name === screen.name)),
    );
    if (of.length > 0) screen.publicOf = of.map(({ name }) => name);
  },
  overlay: {
    needs: (screen, field) => {
      const { public: page } = screen;
      if (!page) return null;
      const used = [...page.fields, ...Object.keys(page.set), page.of?.path ?? ''];
      const shown = page.of ? '' : JSON.stringify(page.shows);
      return used.includes(field) || shown.split(/\W/).includes(field) ? 'the public page has it' : null;
    },
  },
  chapter: 'Steps and looks',
  doc: [
    '**`public`**: what people without an account may do through a link. With `"may": ["accept"]` the link belongs to one',
    'record and allows those transitions; `"may": []` only shows how the record stands, as often as somebody looks. With',
    '`"may": "create"` it adds a record, and `token` says which record the link belongs to: a QR code on a lift is',
    '`{"type": "lift", "path": "lift_id"}`, and each record added through it refers to that lift. `fields` are the fields',
    'to fill in; `set` sets further fields of a new record and takes precedence. Only simple fields and fixed choices are',
    'allowed: no secrets, references or rows. A transition asks for its own fields; those that are required must be in',
    '`fields`.',
    '',
    'With `"may": "answer"` the page is the questionnaire of a field of type [`answers`](#questionnaires), and the link of',
    'a record opens its answers on any device until they are submitted, by its one transition with the effect `hand_in`.',
    'With `token`, a link of the template creates a record for each person who opens it: `fields` are asked for first,',
    '`set` sets further fields, and the record continues with a link of its own. Each answer is saved as it is given; files',
    'may have up to 10 MB each, as many as the question allows. The page shows the name of the template, its `intro` before',
    'and its `thanks` after the questions. A template that is not published cannot be started, and one in a closing state',
    'accepts no further answers.',
    '',
    'The page at `route` shows the fields in `shows` and offers the issued documents of `prints`. A link gives this right',
    'and no other: guards, rules, numbers and effects run as usual, in the name of the product, and the history says "by',
    'its public page". The record page shows the link, also as a QR code, and can revoke it; a mail includes it with',
    '`{public.link}`.',
    '',
    'With `when`, only records for which the condition is true have a link, and it opens while that holds. With `follow`,',
    'the person who added a record continues with a link to the record itself: it shows the fields in `shows` and allows',
    'the transitions under `may`, repeatedly, for `days`.',
    '',
    'By default a link can be used once (`uses`) within 90 `days`. An unknown, revoked or expired link is answered with',
    '404. With `explains`, a used link is answered with 409 and a link whose record no longer allows it with 410; otherwise',
    'also with 404. `limit` sets the maximum of writes per link and hour, and of calls per address and minute; beyond it',
    'the answer is 429.',
  ],
  example: [
    {
      part: {
        workflow: {
          field: 'stage',
          states: { asked: {}, confirmed: {}, received: { is: 'closed' } },
          transitions: {
            confirm: { from: ['asked'], to: 'confirmed', ask: ['remark!'] },
            receive: { from: ['confirmed'], to: 'received' },
          },
        },
        public: {
          route: '/order/public/:token',
          title: 'Confirm your order',
          may: ['confirm'],
          fields: ['remark'],
          shows: ['id', { text: 'Please confirm.' }],
          explains: true,
        },
      },
    },
  ],
});
