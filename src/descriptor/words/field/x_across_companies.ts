import { defineWord } from '../word.ts';

/** Compiled with the reference, by "x-ref". */
export const xAcrossCompanies = defineWord<boolean | Record<string, string | number | boolean>>({
  name: 'x-across-companies',
  on: 'field',
  shape: {
    description:
      'true: records of all companies may be chosen; or only for clients with a setting: { "configuration.cross_company_manager": true }.',
    examples: [true, { 'configuration.cross_company_manager': true }],
    if: { type: 'object' },
    then: { $ref: '#/$defs/bySetting' },
    else: { description: 'true, or a setting of the client.', type: 'boolean' },
  },
  check: (_field, { check, at, written }) =>
    check.setting(written['x-across-companies'], [...at, 'x-across-companies']),
  chapter: 'References',
  doc: [
    "**`x-across-companies`**: a company's record refers only to records of the same company, unless this word allows those",
    'of all companies: always (`true`), or for clients with a setting (`{ "configuration.cross_company_manager": true }`).',
    'A shared record may always refer to records of all companies.',
  ],
});
