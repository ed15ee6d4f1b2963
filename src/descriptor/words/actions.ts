import { compileFields } from '../compile_fields.ts';
import { expand } from '../fields.ts';
import { pathTarget } from '../shared_effects.ts';
import { didYouMean } from '../source.ts';
import type { ScreenCheck } from '../check_context.ts';
import { defineWord } from './word.ts';
import type { Path } from './word.ts';
import type { BrowserAction, JsonSchema, RecordAction } from '../types.ts';

interface WrittenAction extends Omit<RecordAction, 'params' | 'browser'> {
  runs?: 'server' | 'browser';
  params?: JsonSchema;
}

declare module '../types.ts' {
  interface WrittenWords {
    /** What people can do with a record besides editing it: in the list's row menu and on the record's page. */
    actions?: WrittenAction[];
  }
  interface ScreenWords {
    actions: RecordAction[];
  }
}

const BROWSER: readonly BrowserAction[] = ['print', 'copy_link', 'copy', 'open', 'files'];
/** Actions that use the value of a field. */
const OF_FIELD: readonly BrowserAction[] = ['copy', 'open'];

/** The browser action must exist, and have its parameters. */
function checkBrowser(
  check: ScreenCheck,
  name: BrowserAction,
  of: string | undefined,
  more: Partial<RecordAction>,
  at: Path,
): void {
  if (!BROWSER.includes(name)) {
    const hint = didYouMean(name, BROWSER) ?? `There are: ${BROWSER.join(', ')}.`;
    check.report([...at, 'run'], `No browser does "${String(name)}".`, hint);
    return;
  }
  const field = check.field(of);
  if (OF_FIELD.includes(name)) {
    if (of === undefined) check.report(at, `"${name}" takes the value of a field.`, 'Name it under "of".');
    else if (!field) check.unknown([...at, 'of'], of, check.names, `"${name}"`);
    else if (name === 'open' && field.type !== 'url')
      check.report(
        [...at, 'of'],
        `"${of}" is not an address: it is of type ${field.type}.`,
        'Name a field of the type url.',
      );
    else if (field.rows || field.secret)
      check.report([...at, 'of'], `"${of}" has no text to copy.`, 'Choose another field.');
  } else if (of !== undefined) check.report([...at, 'of'], `"${name}" takes no field.`, 'Leave "of" out.');
  for (const [index, source] of (more.with ?? []).entries()) {
    const place: Path = [...at, 'with', index];
    if ('via' in source) {
      pathTarget(check, source.via, [...place, 'via']);
      continue;
    }
    const { type, by, filter } = source;
    check.type(type, [...place, 'type']);
    const other = check.all.drafts.get(type)?.screen;
    if (!other) continue;
    const names = new Set(other.fields.map((one) => one.name));
    if (!names.has(by)) check.unknown([...place, 'by'], by, names, '"by"');
    check.filter(filter, other, [...place, 'filter'], 'Write a condition of that type.');
  }
  for (const word of ['on', 'ask', 'list', 'bulk', 'confirm'] as const)
    if (more[word] !== undefined && !(name === 'files' && word === 'bulk'))
      check.report([...at, word], `"${word}" is of what the server does.`, `Leave "${word}" out.`);
}

export const actions = defineWord<WrittenAction[]>({
  name: 'actions',
  on: 'screen',
  shape: {
    description:
      "What people can do with a record besides editing it: in the row menu of the list and on the record's page.",
    type: 'array',
    examples: [[{ title: 'Screen rights', to: '/screen_rights/:id' }]],
    items: {
      examples: [{ title: 'Screen rights', to: '/screen_rights/:id' }],
      type: 'object',
      required: ['title'],
      additionalProperties: false,
      oneOf: [{ required: ['to'] }, { required: ['call'] }, { required: ['run'] }],
      dependentRequired: { on: ['run'], runs: ['run'], params: ['run'], of: ['runs'], with: ['runs'] },
      properties: {
        title: { description: 'Label of the entry.', type: 'string', minLength: 1, maxLength: 60 },
        icon: {
          description: 'Fluent icon name without size and style.',
          type: 'string',
          pattern: '^[A-Z][A-Za-z0-9]+$',
        },
        to: {
          description: 'Address that it opens; ":id" and ":" before another field stand for the record\'s values.',
          type: 'string',
          pattern: '^/',
        },
        call: {
          description: 'Name of a record call: POST /tapi/<type>/<id>/<call>.',
          type: 'string',
          pattern: '^[a-z][a-z0-9_]*$',
        },
        run: {
          description:
            'A function of a module: "planning.spread". With "runs": "browser": print, copy_link, copy, open or files.',
          type: 'string',
          pattern: '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)?$',
        },
        on: {
          description: 'For "run", what it acts on: record (default), rows:<field>, selection or list.',
          type: 'string',
          pattern: '^(record|selection|list|rows:[a-z][a-z0-9_]*)$',
        },
        runs: { description: 'Where "run" is executed. Default: server.', enum: ['server', 'browser'] },
        of: { description: 'For copy and open: the field whose value is used.', $ref: '#/$defs/fieldName' },
        with: {
          description:
            'For files: other records whose files belong to a record: those that name it in their field "by", or those that its reference "via" names.',
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            oneOf: [{ required: ['type', 'by'] }, { required: ['via'], maxProperties: 1 }],
            additionalProperties: false,
            properties: {
              type: { type: 'string', minLength: 1 },
              by: { $ref: '#/$defs/fieldName' },
              filter: { description: 'Only records that meet this condition.', type: 'array' },
              via: {
                description: 'A reference of the record, or of its rows as "rows.column".',
                type: 'string',
                pattern: '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)?$',
              },
            },
          },
        },
        params: {
          description: 'For "run", the input it asks for: fields as in "schema".',
          type: 'object',
          required: ['properties'],
          properties: { properties: { type: 'object', minProperties: 1 }, required: { type: 'array' } },
        },
        when: { description: 'Offered only if this expression is true.', type: 'string' },
        confirm: { description: 'Asked before the call.', type: 'string' },
        ask: {
          description: 'A text that is required before the call: its name in the request body, and the question.',
          type: 'object',
          minProperties: 1,
          maxProperties: 1,
          propertyNames: { pattern: '^[a-z][a-z0-9_]*$' },
          additionalProperties: { type: 'string', minLength: 1 },
        },
        list: {
          description: 'For the whole list, not for a record: opens the address, or POST /tapi/<type>/<call>.',
          type: 'boolean',
        },
        bulk: {
          description: 'Offered for several records of the list as well: POST /tapi/<type>/bulk/<call> with their ids.',
          type: 'boolean',
        },
        inRow: {
          description:
            'For an address: shown in the row itself as well. Of several the first is shown that has its values.',
          type: 'boolean',
        },
        who: {
          description: 'Offered only to people in one of these relations to the record, and to their deputies.',
          type: 'array',
          minItems: 1,
          items: { type: 'string' },
        },
        done: { description: 'Message shown afterwards.', type: 'string' },
        page: {
          description: 'The page right required. Default: edit_screen for a call, view_screen for an address.',
          enum: ['landing', 'add_screen', 'edit_screen', 'view_screen', 'approval_screen', 'transfer_screen'],
        },
      },
    },
  },
  compile: (written = [], { types, source }) => ({
    actions: written.map(({ params, runs, run, ...rest }, index): RecordAction => {
      if (runs === 'browser') return { ...rest, browser: run as BrowserAction };
      const action = { ...rest, ...(run !== undefined && { run }) };
      if (action.run === undefined) return action;
      const at: Path = ['actions', index, 'params'];
      return {
        ...action,
        on: action.on ?? 'record',
        ...(params && { params: compileFields(expand(params, types, source, at), source, at) }),
      };
    }),
  }),
  check: (check) => {
    const { actions } = check.screen;
    const titles = actions.map(({ title }) => title);
    const relations = Object.keys(check.screen.relations ?? {});
    const runs = new Set<string>();
    actions.forEach(({ title, when, who, run, on = '', params = [], browser, of, ...other }, index) => {
      const at: Path = ['actions', index];
      if (browser !== undefined) checkBrowser(check, browser, of, { ...other, ...(on !== '' && { on }) }, at);
      if (titles.indexOf(title) < index)
        check.report([...at, 'title'], `Two actions are called "${title}".`, 'Give each action its own words.');
      for (const name of who ?? [])
        if (!relations.includes(name))
          check.report([...at, 'who'], `There is no relation "${name}".`, didYouMean(name, relations));
      if (when !== undefined) check.expression(when, [...at, 'when'], 'condition');
      if (other.inRow && (other.to === undefined || other.list || when !== undefined || who))
        check.report(
          [...at, 'inRow'],
          'Only an address that depends on nothing but its values can stand in the row.',
          'Leave "inRow" out, or write "to" without "when", "who" and "list".',
        );
      for (const [, name = ''] of (other.to ?? '').matchAll(/:([a-z][a-z0-9_]*)/g))
        if (name !== 'id' && !check.names.has(name)) check.unknown([...at, 'to'], name, check.names, '"to"');
      if (run === undefined) return;
      check.function('actions', run, [...at, 'run']);
      const rows = on.startsWith('rows:') ? on.slice('rows:'.length) : undefined;
      if (rows !== undefined && !check.field(rows)?.rows)
        check.report(
          [...at, 'on'],
          `"${rows}" is not a field with child rows.`,
          didYouMean(rows, check.columns.keys()),
        );
      if (runs.has(`${run} ${on}`))
        check.report([...at, 'run'], `"${run}" is called by another action on "${on}".`, 'Keep one of them.');
      runs.add(`${run} ${on}`);
      for (const word of ['ask', 'list', 'bulk'] as const)
        if (other[word] !== undefined)
          check.report(
            [...at, word],
            `"${word}" is of "call".`,
            word === 'ask' ? 'Ask by "params".' : `Write "on": "${word === 'list' ? 'list' : 'selection'}".`,
          );
      if (when !== undefined && on === 'list')
        check.report([...at, 'when'], 'A list is in no state.', 'Leave "when" out, or offer it for records.');
      for (const field of params) {
        if (field.ref) check.type(field.ref.type, [...at, 'params', 'properties', field.name]);
        if (check.names.has(field.name) && field.ref)
          check.report(
            [...at, 'params', 'properties', field.name],
            `The record has a field "${field.name}".`,
            'Give what is asked another name: its choices are looked up by it.',
          );
      }
    });
  },
  overlay: {
    lay: ({ product, speaksOf, gone }) => ({
      actions: product.actions.filter(({ when, on = '' }) => !speaksOf(when) && !gone.has(on.replace(/^rows:/, ''))),
    }),
  },
  chapter: 'The list',
  doc: [
    '**`actions`**: what people can do with a record besides editing it, in the "…" menu of its row and on its page. `to`',
    "opens an address, in which `:id` is the record's id and `:customer_id` the value of that field (if it is empty, the",
    'entry is not offered); `call` calls the server (`POST /tapi/<type>/<id>/<call>`, which must be programmed). `when` is',
    'an [expression](#expressions): the entry is offered only if it is true. `confirm` is asked before, `done` is shown',
    'afterwards. `ask` requires a text first, which is sent with the call under that name. With `bulk` a call is offered',
    'for several records too. With `inRow` an address is also a button in the row itself; of several, the first whose fields',
    'have values. With `list` the entry is in the "…" menu of the list and opens its address or calls `POST',
    '/tapi/<type>/<call>`. `who` names [relations](#steps-and-looks): the entry is offered only to those people and their',
    'deputies; the call checks its own rights. If the call answers with `once` (see [the HTTP interface](http.md)), such as',
    'a new key, the value is shown so that it can be copied.',
    '',
    '`run` names a function of a module instead of a call. `on` says what it works on: `record` (default), the rows of a',
    'field (`rows:lines`), the `selection` of the list, or the `list`. `params` describes the fields asked for first, as in',
    '`schema`. In a form that is being filled in, the button is in the header or below the rows; the function receives what',
    'was typed, its result is put into the form, and nothing is stored until the form is saved. On the page of a record, in',
    'the row menu and for a selection, its result is stored in the same transaction as its other changes. Without `page`',
    'the right to edit is required; for a new record, the right to add.',
    '',
    'With `"runs": "browser"` the browser executes it, for everybody who can see the record: `print` prints the page,',
    '`copy_link` copies its address, `copy` copies the value of the field under `of`, and `open` opens the address in a',
    'field of the type url. `files` saves all files of a record, with `bulk` also of the selected ones, as one ZIP with an',
    'index: files in fields, rows and attachments, and those of other records named under `with`: those of a `type` that',
    'refer to the record in their field `by`, and those that it refers to `via` a reference (`evidence.document_id`). It',
    'contains what the person sees, and needs the action `EXPORT_DATA`.',
  ],
  example: [
    {
      part: {
        actions: [
          { title: "Supplier's page", icon: 'Building', to: '/supplier_page/:id' },
          {
            title: 'Send again',
            icon: 'Mail',
            call: 'send',
            when: "status == 'ordered'",
            confirm: 'The supplier gets the order once more.',
            done: 'The order is on its way.',
          },
          { title: 'Give back', call: 'give_back', ask: { reason: 'Why does it go back?' } },
          {
            title: 'Change rates',
            run: 'fms.change_rates',
            on: 'rows:lines',
            params: { required: ['percent'], properties: { percent: { $ref: 'types#percent' } } },
          },
          { title: 'Copy link', icon: 'Link', run: 'copy_link', runs: 'browser' },
          { title: 'Remind all suppliers', call: 'remind_all', list: true, done: 'They are reminded.' },
        ],
      },
    },
  ],
});
