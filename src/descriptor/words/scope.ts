import { defineWord } from './word.ts';
import type { Field, Scope } from '../types.ts';

/** Amounts of records that belong to no company are in the client's currency. */
function markClientMoney(fields: Field[]): void {
  for (const field of fields) {
    if (field.type === 'money') field.ofClient = true;
    if (field.rows) markClientMoney(field.rows);
  }
}

export const scope = defineWord<Scope>({
  name: 'scope',
  on: 'screen',
  shape: {
    description:
      'Who owns the records. tenant (default): shared by all companies of the client. entity: one company. platform: the whole installation.',
    enum: ['platform', 'tenant', 'entity'],
  },
  inspect: (written, source) => {
    if (written !== undefined && !['platform', 'tenant', 'entity'].includes(written as string))
      source.report(
        ['scope'],
        `Scope "${String(written)}" does not exist.`,
        'There are: platform, tenant (shared by all companies), entity (rows of one company).',
      );
  },
  fields: (written, { fields }) => {
    if (written !== 'entity') markClientMoney(fields);
  },
  compile: (written = 'tenant') => ({ scope: written }),
  // A shared record may refer to a record of any company: it has no company of its own.
  link: (screen, screens) => {
    if (screen.scope === 'entity') return;
    for (const { ref } of screen.fields.flatMap((one) => [one, ...(one.rows ?? [])]))
      if (ref && screens.get(ref.type)?.scope === 'entity') ref.acrossCompanies = true;
  },
  chapter: 'Who may open it',
  doc: [
    '**`scope`**: `tenant` (default) records are shared by all companies of the client; `entity` records belong to one',
    'company; `platform` records belong to the whole installation. Shared records cannot become company records later',
    'without a decision for each of them, so choose carefully.',
  ],
  example: [{ part: { scope: 'tenant' } }],
});
