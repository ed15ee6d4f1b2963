import { fieldExpression } from '../../check_context.ts';
import { defineWord } from '../word.ts';
import type { Field } from '../../types.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** For settings: when the value is less safe than it could be, the safe value, and its effect on people. */
    risk?: { when: string; safe: unknown; effect: string };
  }
}

export const xRisk = defineWord<NonNullable<Field['risk']>>({
  name: 'x-risk',
  on: 'field',
  shape: {
    description: 'When the value of a setting is less safe than it could be.',
    type: 'object',
    required: ['when', 'safe', 'effect'],
    additionalProperties: false,
    examples: [
      {
        when: "mfa_policy != 'all'",
        safe: 'all',
        effect: 'Everybody sets up 2-step verification at the next sign-in.',
      },
    ],
    properties: {
      when: {
        description: 'Expression that is true while the value is not safe.',
        type: 'string',
        minLength: 1,
        examples: ["mfa_policy != 'all'"],
      },
      safe: { description: 'The safe value.', examples: ['all', true, 30] },
      effect: {
        description: 'What the safe value means for people, in a sentence.',
        type: 'string',
        minLength: 1,
        examples: ['Everybody sets up 2-step verification at the next sign-in.'],
      },
    },
  },
  compile: (written, { field }) => {
    if (written) field.risk = written;
  },
  check: (field, one) => {
    const { check, at, rows } = one;
    const { risk } = field;
    if (!risk) return;
    fieldExpression(risk.when, ['x-risk', 'when'], 'condition', one);
    if (rows !== undefined) return;
    if (check.screen.kind !== 'settings')
      check.report(
        [...at, 'x-risk'],
        `"${field.name}" is not a setting.`,
        'Leave it out; "rules" say what a record may not have.',
      );
    const message = check.all.valueError(field, risk.safe);
    if (message !== null)
      check.report(
        [...at, 'x-risk', 'safe'],
        `The safe value ${JSON.stringify(risk.safe)} is not a valid value of "${field.name}": ${message}`,
        'Write a value that the setting can have.',
      );
  },
  chapter: 'Settings',
  doc: [
    '**`x-risk`**, for a field of a `settings` screen, says when its value is less safe than it could be (`when`, an',
    '[expression](#expressions)), the `safe` value, and in a sentence its `effect` on people. The page lists the settings',
    'that are not safe; its button Harden changes them all after showing the old and new values. The example of',
    '`x-override` shows one.',
  ],
});
