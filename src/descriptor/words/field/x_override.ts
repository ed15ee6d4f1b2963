import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** For settings: each company may have its own value. */
    override?: 'company';
  }
}

export const xOverride = defineWord<'company'>({
  name: 'x-override',
  on: 'field',
  shape: {
    description: 'company: each company may have its own value of a shared setting.',
    enum: ['company'],
    examples: ['company'],
  },
  compile: (written, { field }) => {
    if (written === 'company') field.override = 'company';
  },
  check: (field, { check, at, rows }) => {
    const { kind, scope } = check.screen;
    if (rows !== undefined || !field.override) return;
    if (field.risk)
      check.report(
        [...at, 'x-override'],
        `"${field.name}" cannot be left to companies: its safe value is for all.`,
        'Leave out "x-override" or "x-risk".',
      );
    else if (kind !== 'settings' || scope !== 'tenant' || field.rows || field.secret || field.ref)
      check.report(
        [...at, 'x-override'],
        `Companies cannot set "${field.name}" themselves.`,
        'It is for simple values of settings that all companies share: "kind": "settings", "scope": "tenant".',
      );
  },
  chapter: 'Settings',
  doc: [
    '**`x-override`**, for a field of a `settings` screen: with `"company"` each company may have its own value; companies',
    'without one use the shared value.',
  ],
  example: [
    {
      name: 'order_setting',
      part: {
        $schema: '../meta/screen.schema.json',
        kind: 'settings',
        title: 'Order setting',
        access: { screen: 'SCN_ORDER_SETTING', module: 'SETTINGS' },
        schema: {
          properties: {
            quotations: {
              $ref: 'types#integer',
              title: 'Least quotations',
              minimum: 1,
              default: 1,
              'x-override': 'company',
            },
            own_orders: {
              $ref: 'types#boolean',
              title: 'People may approve their own orders',
              default: false,
              'x-risk': { when: 'own_orders == true', safe: false, effect: 'Somebody else approves each order.' },
            },
          },
        },
        label: ['quotations'],
      },
    },
  ],
});
