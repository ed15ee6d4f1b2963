import { needsOf } from '../../expression/scope.ts';
import { ExpressionSyntaxError, compileExpression } from '../../expression/compile_expression.ts';
import { defineWord } from '../word.ts';
import type { Field } from '../../types.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Stored and shown on no page; `read`: still readable over HTTP. */
    hidden?: 'always' | 'read';
  }
}

export const xHidden = defineWord<true | 'read'>({
  name: 'x-hidden',
  on: 'field',
  shape: {
    description:
      'Stored, but in no form, list or sheet. true: not readable over HTTP either; read: readable over HTTP.',
    enum: [true, 'read'],
    examples: [true],
  },
  compile: (written, { field, source, at, known }) => {
    if (written === undefined) return;
    if (!field.rows && !field.secret) field.hidden = written === 'read' ? 'read' : 'always';
    else if (known)
      source.report(
        [...at, 'x-hidden'],
        field.secret ? `"${field.name}" is a secret, which nobody reads anyway.` : `"${field.name}" has child rows.`,
        'Leave "x-hidden" out.',
      );
  },
  check: (field, { check, at, rows }) => {
    if (!field.hidden) return;
    const path = [...at, 'x-hidden'];
    const { screen, descriptor } = check;
    if (rows !== undefined) {
      check.report(
        path,
        'A column of rows cannot be hidden.',
        'Leave it out of "x-columns": it stands in the form of a row alone.',
      );
      return;
    }
    if (field.required && !field.readOnly && field.default === undefined && field.begins === undefined)
      check.report(
        path,
        `"${field.name}" is required, and no form asks for it.`,
        'Give it a "default" or an "x-default".',
      );
    const shown: [string, string[]][] = [
      ['label', screen.label],
      ['grid', (descriptor.grid ?? []).map((one) => (typeof one === 'string' ? one : one.field))],
      ['card', screen.card],
      ['filters', screen.filters ?? []],
      ['sort', screen.sort.map((name) => name.replace(/^-/, ''))],
      ['form', screen.form.tabs.flatMap(({ sections }) => sections.flatMap(({ fields }) => fields))],
    ];
    const word = shown.find(([, names]) => names.includes(field.name))?.[0];
    if (word !== undefined)
      check.report(
        path,
        `"${field.name}" is shown: "${word}" names it.`,
        `Take it out of "${word}", or leave "x-hidden" out.`,
      );
    const uses =
      field.hidden === 'always' ? screen.fields.find((one) => one !== field && looksAt(one, field.name)) : undefined;
    if (uses)
      check.report(
        path,
        `The form of "${uses.name}" goes by "${field.name}", which no browser gets.`,
        'Write "x-hidden": "read", or put the condition otherwise.',
      );
  },
  chapter: 'Locked and hidden fields',
  doc: [
    '**`x-hidden`**: the field is stored but appears in no form, list, filter or sheet: it is for data that only programs',
    'use. With `true` it is not in any HTTP answer, and lists cannot be filtered or sorted by it; with `"read"` programs',
    'can read it over HTTP. `readOnly` decides as usual whether it can be written over HTTP. Rules, steps and functions of',
    'the server can use it, and a step may ask for it.',
  ],
  example: [
    {
      part: {
        checked_by_program: { $ref: 'types#text', maxLength: 64, readOnly: true, 'x-hidden': true },
        came_from: { $ref: 'types#text', 'x-hidden': 'read' },
      },
    },
  ],
});

/** Whether the value that a form computes for a field depends on another. */
function looksAt({ when, requiredWhen, readOnlyWhen, formula, begins, offered = [] }: Field, name: string): boolean {
  const choices = offered.map((one) => one.when);
  return [when, requiredWhen, readOnlyWhen, formula, begins, ...choices].some((text) => {
    try {
      return text !== undefined && needsOf([compileExpression(text)]).has(name);
    } catch (error) {
      if (error instanceof ExpressionSyntaxError) return false;
      throw error;
    }
  });
}
