import { didYouMean } from '../source.ts';
import { defineWord } from './word.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** For a view: by type, the reference to the record that a row is about. */
    subject?: Record<string, string>;
  }
  interface ScreenWords {
    subject?: Record<string, string>;
  }
}

export const subject = defineWord<Record<string, string>>({
  name: 'subject',
  on: 'screen',
  shape: {
    description:
      'For a view: by record type, the field that refers to the record a row is about. People who see that record see the row. Of several fields a row may leave some empty.',
    type: 'object',
    minProperties: 1,
    maxProperties: 6,
    additionalProperties: { $ref: '#/$defs/fieldName' },
    examples: [{ contract: 'contract_id' }],
  },
  check: (check) => {
    const { screen } = check;
    if (screen.kind !== 'view') return;
    if (!screen.subject)
      return check.report(
        ['subject'],
        'It is not said whose rows they are.',
        'Write "subject": { "contract": "contract_id" }.',
      );
    for (const [type, name] of Object.entries(screen.subject)) {
      const field = screen.fields.find((one) => one.name === name);
      if (!field) check.report(['subject', type], `There is no field "${name}".`, didYouMean(name, check.names));
      else if (field.ref?.type !== type)
        check.report(['subject', type], `"${name}" refers to no ${type}.`, `Write "x-ref": "${type}" at the field.`);
    }
  },
  chapter: 'What it is',
  doc: ['**`subject`**: see [Views](#views).'],
});
