import { settingCondition } from '../setting_condition.ts';
import { didYouMean } from '../source.ts';
import { defineWord } from './word.ts';

interface WrittenNumber {
  field: string;
  pattern: string;
  on?: string;
  date?: string;
  when?: Record<string, string | number | boolean>;
}

declare module '../types.ts' {
  interface WrittenWords {
    /** Gapless automatic number: {fy}, {yyyy}, {mm}, {company}, {0000}. */
    number?: WrittenNumber;
  }
  interface ScreenWords {
    /** `mixed`: some records may have been numbered by hand. */
    number?: { field: string; pattern: string; mixed?: true };
    /** A number that a transition gives. `date`: the field whose day counts, default a field "date" or "…_date". */
    numberAt?: { field: string; pattern: string; on: string; date?: string };
    /** A number that clients with this setting have. */
    numberWhen?: { field: string; pattern: string; when: SettingCondition };
  }
}

export const number = defineWord<WrittenNumber>({
  name: 'number',
  on: 'screen',
  shape: {
    description: 'Gapless automatic number.',
    type: 'object',
    required: ['field', 'pattern'],
    additionalProperties: false,
    examples: [{ field: 'number', pattern: 'CON/{fy}/{0000}' }],
    properties: {
      field: { description: 'Text field that receives the number.', $ref: '#/$defs/fieldName' },
      pattern: {
        description:
          '{fy} financial year, {yyyy} {yy} {mm} year and month, {company} its code, {0000} the counter with that many digits.',
        type: 'string',
        examples: ['CON/{fy}/{0000}'],
      },
      on: {
        description:
          'The transition of "workflow" that gives the number. Default: it is given when the record is added.',
        type: 'string',
      },
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
    if (written?.on !== undefined) {
      const { on, field, pattern, date } = written;
      return { numberAt: { field, pattern, on, ...(date !== undefined && { date }) } };
    }
    if (!written?.when) return written ? { number: written } : {};
    const { when, ...series } = written;
    const condition = settingCondition(when);
    if (condition) return { numberWhen: { ...series, when: condition } };
    source.report(
      ['number', 'when'],
      'A condition names a setting and its value.',
      'Write for instance { "configuration.employee_number": "automatic" }.',
    );
    return {};
  },
  check: (check) => {
    check.setting(check.descriptor.number?.when, ['number', 'when']);
    const number = check.screen.number ?? check.screen.numberAt ?? check.screen.numberWhen;
    if (!number) return;
    const { on, date } = check.descriptor.number ?? {};
    const transitions = check.screen.workflow?.transitions.map(({ name }) => name) ?? [];
    if (on !== undefined && !transitions.includes(on))
      check.report(['number', 'on'], `There is no transition "${on}".`, didYouMean(on, transitions));
    if (date !== undefined && check.field(date)?.type !== 'date')
      check.report(['number', 'date'], `"${date}" is no date of the record.`, 'Name a field of the type date.');
    const field = check.field(number.field);
    if (!field) check.unknown(['number', 'field'], number.field, check.names, 'the number');
    else if (!['text', 'code', 'name'].includes(field.type))
      check.report(
        ['number', 'field'],
        `"${field.name}" cannot hold a number by pattern: it is of type ${field.type}.`,
        'Choose a text field.',
      );
    if (!/\{0+\}/.test(number.pattern))
      check.report(
        ['number', 'pattern'],
        'The pattern of the number has no counter.',
        'Write for instance "CON/{fy}/{0000}".',
      );
    for (const [, word] of number.pattern.matchAll(/\{([^}]*)\}/g))
      if (!/^(fy|yyyy|yy|mm|company|0+)$/.test(word!))
        check.report(
          ['number', 'pattern'],
          `"{${word}}" means nothing in a number.`,
          'There are: {fy}, {yyyy}, {yy}, {mm}, {company}, {0000}.',
        );
  },
  overlay: {
    needs: (screen, field) =>
      (screen.number ?? screen.numberAt)?.field === field ? 'it is the automatic number' : null,
  },
  chapter: 'Automatic numbers, trees and hierarchies',
  doc: [
    '**`number`**: a number without gaps, filled in on the server. `{fy}` is the financial year, `{yyyy}`, `{yy}`',
    "and `{mm}` year and month: of the record's date if it has a field `date` or `…_date`, else of today.",
    "`{company}` is the company's code, `{0000}` the counter with that many digits. It starts anew when anything",
    'around it changes.',
    '',
    'With `on`, a transition of the [workflow](#steps-and-boards) gives the number, when it has not got one: a draft that',
    'is deleted leaves no gap. `date` names the date that year and month are taken from.',
    '',
    'With `when`, only clients with this setting have the number; the others enter the field by hand. It goes on',
    'behind the highest number of the pattern that is there. A setting is written as its screen, a dot and its',
    'field, with the value it has.',
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
