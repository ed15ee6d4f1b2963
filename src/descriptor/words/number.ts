import { fieldType } from '../fieldtypes/registry.ts';
import { settingCondition } from '../setting_condition.ts';
import { didYouMean } from '../source.ts';
import type { ScreenCheck } from '../check_context.ts';
import { canCollide, numberTokens } from '../number_pattern.ts';
import { defineWord } from './word.ts';
import { addToLists } from './listed_types.ts';

interface WrittenNumber {
  field: string;
  pattern?: string;
  series?: NumberSeries[];
  per?: string[];
  most?: number;
  on?: string | string[];
  date?: string;
  gapless?: boolean;
  fixed?: boolean;
  when?: Record<string, string | number | boolean>;
}

/** One number series: for the records that meet `when`. */
export interface NumberSeries {
  when?: string;
  pattern: string;
}

/** The numbering of a type. `pattern` is that of the only series, or of the last. */
export interface NumberRule {
  field: string;
  pattern: string;
  /** Several series; the first match is used. */
  series?: NumberSeries[];
  /** The date that gives year and month; default a field "date" or "…_date". */
  date?: string;
  /** Fields with a separate counter for each value. */
  per?: string[];
  /** The maximum length of a number. */
  most?: number;
  /** False: the counter is not locked until the transaction ends, and a record that is not saved leaves a gap. */
  gapless?: boolean;
  /** Clients cannot change the pattern. */
  fixed?: boolean;
  /** The client's own patterns, each replacing one of the series; a company's before those for all. */
  own?: OwnSeries[];
}

/** A client's pattern that replaces the product's. */
export interface OwnSeries {
  company: number | null;
  /** The index of the series, from 1. */
  place: number;
  pattern: string;
}

declare module '../types.ts' {
  interface WrittenWords {
    /** Automatic number: {fy}, {yyyy}, {mm}, {company}, {0000}. */
    number?: WrittenNumber;
  }
  interface ScreenWords {
    /** `mixed`: some records may have been numbered by hand. */
    number?: NumberRule & { mixed?: true };
    /** A number assigned by a transition. `date`: the field that gives the date, default a field "date" or "…_date". */
    numberAt?: NumberRule & { on: string[] };
    /** A number for clients with this setting. */
    numberWhen?: { field: string; pattern: string; when: SettingCondition };
  }
}

export const number = defineWord<WrittenNumber>({
  name: 'number',
  on: 'screen',
  shape: {
    description: 'Automatic number, without gaps by default.',
    type: 'object',
    required: ['field'],
    oneOf: [{ required: ['pattern'] }, { required: ['series'] }],
    additionalProperties: false,
    examples: [{ field: 'number', pattern: 'CON/{fy}/{0000}' }],
    properties: {
      field: { description: 'Text field that receives the number.', $ref: '#/$defs/fieldName' },
      pattern: {
        description:
          '{fy} financial year, {yyyy} {yy} {mm} year and month, {company} its code, a field or a path of references such as {branch_id.code}, {0000} the counter with that many digits.',
        type: 'string',
        examples: ['CON/{fy}/{0000}'],
      },
      series: {
        description: 'Several patterns instead of one: the first whose condition is true applies; the last has none.',
        type: 'array',
        minItems: 2,
        items: {
          type: 'object',
          required: ['pattern'],
          additionalProperties: false,
          properties: { when: { type: 'string', minLength: 1 }, pattern: { type: 'string' } },
        },
      },
      per: {
        description: 'Fields with a separate counter for each value: the same number can exist for different values.',
        $ref: '#/$defs/fieldNames',
      },
      most: { description: 'The maximum length of a number.', type: 'integer', minimum: 1 },
      on: {
        description:
          'The transition of "workflow" that assigns the number, or several. Default: it is assigned when the record is added.',
        anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 2, uniqueItems: true }],
      },
      gapless: {
        description:
          "false: saves do not wait for each other's counter, and a record that is not stored leaves a gap. Default true.",
        type: 'boolean',
      },
      fixed: { description: 'Clients cannot change the pattern under Number series.', type: 'boolean' },
      date: { description: 'The date whose year and month count.', $ref: '#/$defs/fieldName' },
      when: {
        description: 'Only for clients with this setting; for the others the field is entered by hand.',
        $ref: '#/$defs/bySetting',
        examples: [{ 'configuration.employee_number': 'automatic' }],
      },
    },
  },
  fields: (written, { fields }) => {
    const numbered = fields.find(({ name }) => name === written?.field);
    if (numbered && !written?.when) numbered.readOnly = true;
  },
  compile: (written, { source }) => {
    if (!written) return {};
    const { on, when, ...rest } = written;
    const rule: NumberRule = { ...rest, pattern: written.pattern ?? written.series?.at(-1)?.pattern ?? '' };
    if (on !== undefined) return { numberAt: { ...rule, on: [on].flat() } };
    if (!when) return { number: rule };
    const condition = settingCondition(when);
    if (condition) return { numberWhen: { field: rule.field, pattern: rule.pattern, when: condition } };
    source.report(
      ['number', 'when'],
      'A condition names a setting and its value.',
      'Write for instance { "configuration.employee_number": "automatic" }.',
    );
    return {};
  },
  // Lists of numbered types ("x-values") include every type whose pattern clients may change.
  join: ({ name, title, number: rule, numberAt }, screens) => {
    const numbered = rule ?? numberAt;
    if (!numbered || numbered.fixed) return;
    addToLists(screens, 'numberedTypes', [{ value: name, label: title }]);
  },
  check: (check) => {
    check.setting(check.descriptor.number?.when, ['number', 'when']);
    const number = check.screen.number ?? check.screen.numberAt ?? check.screen.numberWhen;
    if (!number) return;
    const { on, date } = check.descriptor.number ?? {};
    const transitions = check.screen.workflow?.transitions.map(({ name }) => name) ?? [];
    for (const name of [on ?? []].flat())
      if (!transitions.includes(name))
        check.report(['number', 'on'], `There is no transition "${name}".`, didYouMean(name, transitions));
    if (date !== undefined && check.field(date)?.type !== 'date')
      check.report(['number', 'date'], `"${date}" is not a date of the record.`, 'Name a field of the type date.');
    const field = check.field(number.field);
    if (!field) check.unknown(['number', 'field'], number.field, check.names, 'the number');
    else if (!['text', 'code', 'name'].includes(field.type))
      check.report(
        ['number', 'field'],
        `"${field.name}" cannot hold a number by pattern: it is of type ${field.type}.`,
        'Choose a text field.',
      );
    checkNumberRule(check, number);
  },
  overlay: {
    needs: (screen, field) => {
      const rule = screen.number ?? screen.numberAt;
      if (rule?.field === field) return 'it is the automatic number';
      return rule && namesOf(rule).has(field) ? 'the number is made with it' : null;
    },
  },
  chapter: 'Automatic numbers, trees and hierarchies',
  doc: [
    '**`number`**: a number without gaps, assigned on the server. `{fy}` is the financial year, `{yyyy}`, `{yy}` and `{mm}`',
    "year and month: of the record's date if it has a field `date` or `…_date`, otherwise of today. `{company}` is the",
    'company code, `{0000}` the counter with that many digits. The counter restarts when anything around it changes.',
    '`{kind}` is a field of the record, `{branch_id.code}` a field behind references; with `date`, year and month come from',
    'that field. A record that lacks a value the pattern needs is refused, and so is a number that begins with 0, - or /,',
    'or is longer than `most`.',
    '',
    'Numbering without gaps means that each record locks its series until it is stored, and others of the series wait. With',
    '`"gapless": false` nobody waits, and a record that is not saved in the end leaves a gap: use it where many people add',
    'records at once.',
    '',
    'Administrators change the patterns of their company under Number series. They may use the placeholders above and the',
    'fields that the pattern names here; the counters continue. `"fixed": true` prevents changes to a pattern.',
    '',
    '`series` lists several patterns: the first whose `when` is true for the record is used, and the last has no condition.',
    'Patterns that could produce the same number are refused. Each company has its own counters; with `per`, so does each',
    'value of these fields, such as a registration. No two records of a company have the same number: the word creates that',
    'unique key, which includes `per` and, where the type has revisions, the revision.',
    '',
    'With `on`, a transition of the [workflow](#steps-and-looks) assigns the number if the record has none yet, so deleting',
    'a draft leaves no gap. Of several transitions, the first one taken assigns it. `date` names the date that gives the',
    'year and month.',
    '',
    'With `when`, only clients with this setting have automatic numbers; the others enter the field by hand. Automatic',
    'numbers continue after the highest existing number that fits the pattern. A setting is written as its screen, a dot',
    'and its field, with the value it has.',
  ],
  example: [
    { part: { number: { field: 'number', pattern: '{company}/{fy}/{00000}' } } },
    {
      part: {
        number: { field: 'number', pattern: 'PO{0000}', when: { 'configuration.employee_number': 'automatic' } },
      },
    },
  ],
});

/** The fields of the record used in a number. */
function namesOf({ pattern, series = [], per = [] }: NumberRule): Set<string> {
  const tokens = [pattern, ...series.map((one) => one.pattern)].flatMap(numberTokens);
  const paths = tokens.flatMap((token) => (token.kind === 'path' ? [token.path.split('.')[0]!] : []));
  return new Set([...paths, ...per]);
}

function checkNumberRule(check: ScreenCheck, rule: NumberRule): void {
  const { pattern, series = [{ pattern }], per = [] } = rule;
  const several = rule.series !== undefined;
  const conditional = check.screen.numberWhen !== undefined;
  series.forEach((one, index) => {
    const at = several ? ['number', 'series', index, 'pattern'] : ['number', 'pattern'];
    const tokens = numberTokens(one.pattern);
    const counter = tokens.findIndex(({ kind }) => kind === 'counter');
    if (counter < 0)
      check.report(at, 'The pattern of the number has no counter.', 'Write for instance "CON/{fy}/{0000}".');
    const [first] = tokens;
    if (
      first &&
      ((first.kind === 'text' && /^[0\-/]/.test(first.text)) || (!conditional && 'digits' in first && first.digits))
    )
      check.report(at, 'A number does not begin with 0, - or /.', 'Begin it with letters: "CON/{fy}/{0000}".');
    for (const beside of [tokens[counter - 1], tokens[counter + 1]])
      if (beside && beside.kind !== 'text')
        check.report(
          at,
          'What stands beside the counter could be read as part of it.',
          'Put a character between them: "{fy}/{0000}".',
        );
    for (const token of tokens) {
      if (token.kind !== 'path') continue;
      if (conditional || !(check.names.has(token.path) || token.path.includes('.')))
        check.report(
          at,
          `"{${token.path}}" means nothing in a number.`,
          'There are: {fy}, {yyyy}, {yy}, {mm}, {company}, {0000}, a field, and a path of references such as {branch_id.code}.',
        );
      else check.serverExpression(token.path, at, 'any');
    }
    if (several && index < series.length - 1 && one.when === undefined)
      check.report(['number', 'series', index], 'The series behind this one are never taken.', 'Say "when" it is.');
    if (one.when !== undefined) {
      if (index === series.length - 1)
        check.report(
          ['number', 'series', index, 'when'],
          'A record for which no condition holds would have no number.',
          'Let the last series have no condition.',
        );
      check.serverExpression(one.when, ['number', 'series', index, 'when'], 'condition');
    }
    series.slice(0, index).forEach((other, before) => {
      if (other.pattern !== one.pattern && canCollide(other.pattern, one.pattern))
        check.report(
          at,
          `This series can make the same number as the ${before === 0 ? 'first' : `${before + 1}th`}.`,
          'Let their patterns differ in letters at the same place.',
        );
    });
  });
  per.forEach((name, index) => {
    const field = check.field(name);
    const at = ['number', 'per', index];
    if (!field) check.unknown(at, name, check.names, '"per"');
    else if (!fieldType(field.type).can.key || !field.required)
      check.report(
        at,
        `"${name}" cannot part the numbers.`,
        'Name a field with one short value that every record has.',
      );
  });
}
