import { MODULE_NAMES } from '../../domain/modules.ts';
import { PRODUCT_CODES } from '../../domain/products.ts';
import { didYouMean } from '../source.ts';
import type { Source } from '../source.ts';
import { defineWord } from './word.ts';
import type { Descriptor } from '../types.ts';

/** A product that does not exist would hide the screen from everybody. */
export function checkAccess(access: unknown, source: Source): void {
  for (const product of [(access as Partial<Descriptor['access']> | undefined)?.product ?? []].flat())
    if (typeof product === 'string' && !PRODUCT_CODES.has(product))
      source.report(['access', 'product'], `There is no product "${product}".`, didYouMean(product, PRODUCT_CODES));
  // A module that does not exist would hide it from everybody but administrators.
  const modules = Object.keys(MODULE_NAMES);
  for (const module of [(access as Partial<Descriptor['access']> | undefined)?.module ?? []].flat())
    if (typeof module === 'string' && !modules.includes(module))
      source.report(['access', 'module'], `There is no module "${module}".`, didYouMean(module, modules));
}

export const access = defineWord<Descriptor['access']>({
  name: 'access',
  on: 'screen',
  shape: { description: 'Who may open the screen.', $ref: '#/$defs/access' },
  definitions: {
    access: {
      type: 'object',
      required: ['screen'],
      additionalProperties: false,
      examples: [{ screen: 'SCN_LIFT_MAKE', product: 'FMS' }],
      properties: {
        screen: {
          description: 'Screen code(s) whose pages a role can have; any of several is enough.',
          $ref: '#/$defs/codes',
          examples: ['SCN_LIFT_MAKE'],
        },
        product: {
          description: 'Product(s) a client must have bought, any of which is enough. None = every client.',
          $ref: '#/$defs/codes',
          examples: ['FMS'],
        },
        module: {
          description: 'Module flag(s) a role must have, any of which is enough. Default MASTERS.',
          $ref: '#/$defs/codes',
          examples: ['MASTERS'],
        },
        action: {
          description: 'Action needed to write. Default for masters CREATE_MASTERS; null = the page rights are enough.',
          type: ['string', 'null'],
          examples: ['CREATE_MASTERS'],
        },
        everyone: {
          description:
            'true: without a screen right a person still sees their own records; "team": also those of members below them.',
          enum: [true, false, 'team'],
        },
        common: { description: 'true: shown on the administration host.', type: 'boolean' },
      },
    },
  },
  after: ['kind'],
  inspect: (written, source, file, descriptor) => {
    if (written === undefined && descriptor.part !== undefined) return;
    const codes = [(written as Partial<Descriptor['access']> | undefined)?.screen ?? []].flat();
    if (codes.length === 0)
      source.report(
        ['access'],
        'The screen code is missing.',
        `Write "access": { "screen": "SCN_${file.name.toUpperCase()}" }.`,
      );
    for (const code of codes)
      if (typeof code !== 'string' || !/^(COMMON_)?SCN_[A-Z0-9_]+$/.test(code))
        source.report(
          ['access', 'screen'],
          `"${String(code)}" is not a screen code.`,
          'Screen codes begin with SCN_ (COMMON_SCN_ on the admin host), in capitals.',
        );
    checkAccess(written, source);
  },
  compile: (written, { screen: { kind } }) => ({
    access: {
      screens: [written?.screen ?? []].flat(),
      products: [written?.product ?? []].flat(),
      modules: [written?.module ?? 'MASTERS'].flat(),
      action: written?.action === undefined ? (kind === 'master' ? 'CREATE_MASTERS' : null) : written.action,
      everyone: written?.everyone === true || written?.everyone === 'team',
      ...(written?.everyone === 'team' && { team: true }),
      common: written?.common === true,
    },
  }),
  chapter: 'Who may open it',
  doc: [
    '**`access`** decides who may open the screen:',
    '',
    '| word | meaning | default |',
    '|---|---|---|',
    '| `screen` | screen code of the rights matrix; of several, any one is enough | required |',
    '| `product` | product(s) the client must have bought; any one is enough | every client |',
    '| `module` | module flag(s) of the role; any one is enough | `MASTERS` |',
    '| `action` | action required to change anything; `null` = the page rights are enough | `CREATE_MASTERS` for masters, `null` for others |',
    '| `everyone` | `true`: people without the screen right still see their own records; `"team"`: everybody sees at least their own and those of the members below them, and decides those whose transition names them | `false` |',
    '| `common` | `true`: also on the administration host | `false` |',
  ],
  example: [
    {
      part: {
        access: {
          screen: ['SCN_ORDER', 'SCN_FMS'],
          product: ['FMS', 'PLANNING'],
          module: 'FMS',
          action: 'CREATE_MASTERS',
          everyone: true,
          common: false,
        },
      },
    },
  ],
});
