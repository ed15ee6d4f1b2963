import { defineWord } from '../word.ts';

/** Compiled with the reference, by "x-ref". */
export const xAcrossCompanies = defineWord<boolean | Record<string, string | number | boolean>>({
  name: 'x-across-companies',
  on: 'field',
  shape: {
    description:
      'true: records of all companies may be chosen; or for clients with a setting alone: { "configuration.cross_company_manager": true }.',
    examples: [true, { 'configuration.cross_company_manager': true }],
    if: { type: 'object' },
    then: { $ref: '#/$defs/bySetting' },
    else: { description: 'true, or a setting of the client.', type: 'boolean' },
  },
  check: (_field, { check, at, written }) =>
    check.setting(written['x-across-companies'], [...at, 'x-across-companies']),
  chapter: 'References',
  doc: [
    "**`x-across-companies`**: a company's record refers to records of the same company, unless this word says",
    'that those of all companies may be chosen: always (`true`), or for clients with a setting (`{',
    '"configuration.cross_company_manager": true }`); a shared record may always refer to those of all companies.',
  ],
});
