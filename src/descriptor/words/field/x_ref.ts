import { settingCondition } from '../../setting_condition.ts';
import { defineWord } from '../word.ts';
import type { Field } from '../../types.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /**
     * Types ref and refs. `filter`: other type's field → field of this form whose value it must equal; `fixed`: other
     * type's field → its required value (tags must contain it). `acrossWhen`: records of other companies may be chosen
     * if the client's setting allows it.
     */
    ref?: {
      type: string;
      filter?: Record<string, string>;
      fixed?: Record<string, string | number | boolean>;
      acrossCompanies?: boolean;
      acrossWhen?: SettingCondition;
    };
  }
}

type Narrowing = Record<string, string | { const: string | number | boolean }>;
type Across = boolean | Record<string, string | number | boolean>;

export const xRef = defineWord<string>({
  name: 'x-ref',
  on: 'field',
  shape: { description: 'Record type this field refers to.', type: 'string', examples: ['branch'] },
  compile: (written, { field, schema, source, at }) => {
    if (field.type !== 'ref' && field.type !== 'refs') return;
    if (written === undefined)
      source.report(at, `Field "${field.name}" refers to nothing.`, 'Say what it refers to: "x-ref": "branch".');
    field.ref = {
      type: written ?? '',
      ...narrowing((schema['x-ref-filter'] ?? {}) as Narrowing),
      ...across(schema['x-across-companies'] as Across | undefined),
    };
  },
  check: (field, { check, at }) => {
    const target = field.ref?.type;
    if (target === undefined || target === '') return;
    const found = check.type(target, [...at, 'x-ref']);
    if (!found) return;
    const { scope } = check.screen;
    if (found.kind === 'view')
      check.report([...at, 'x-ref'], `"${target}" is a view: its rows are no records.`, 'Refer to what it reads.');
    if (found.scope === 'platform' && scope !== 'platform')
      check.report(
        [...at, 'x-ref'],
        `"${target}" lives on the platform; a tenant's record cannot refer to it.`,
        'Keep its code as text.',
      );
    if (found.scope !== 'platform' && scope === 'platform')
      check.report(
        [...at, 'x-ref'],
        `"${target}" lives with each client; a record of the platform cannot refer to it.`,
        'Keep its code as text.',
      );
  },
  chapter: 'References',
  doc: ['**`x-ref`** names the type referred to. A record that others refer to cannot be deleted, only deactivated.'],
  example: [
    {
      part: {
        country: { $ref: 'types#country' },
        state_id: { $ref: 'types#state', 'x-ref-filter': { country_id: 'country' } },
        head_id: {
          $ref: 'types#ref',
          'x-ref': 'employee',
          title: 'Ordered by',
          'x-ref-filter': { branch_id: 'branch_id', status: { const: 'active' } },
        },
        lost_reason_id: {
          $ref: 'types#ref',
          'x-ref': 'reason',
          'x-ref-filter': { used_for: { const: 'quotation_lost' } },
        },
        head_phone: { $ref: 'types#phone', 'x-fetch': 'head_id.mobile' },
        informed_ids: { $ref: 'types#refs', 'x-ref': 'employee', 'x-across-companies': true },
      },
    },
  ],
});

/** Splits x-ref-filter into the part that depends on the form and the fixed part. */
function narrowing(written: Narrowing): Pick<NonNullable<Field['ref']>, 'filter' | 'fixed'> {
  const filter: Record<string, string> = {};
  const fixed: Record<string, string | number | boolean> = {};
  for (const [theirs, ours] of Object.entries(written))
    if (typeof ours === 'string') filter[theirs] = ours;
    else fixed[theirs] = ours.const;
  return { ...(Object.keys(filter).length > 0 && { filter }), ...(Object.keys(fixed).length > 0 && { fixed }) };
}

/** x-across-companies: always, or by a client setting. */
function across(written: Across | undefined): Pick<NonNullable<Field['ref']>, 'acrossCompanies' | 'acrossWhen'> {
  if (written === true) return { acrossCompanies: true };
  const when = typeof written === 'object' ? settingCondition(written) : null;
  return when ? { acrossWhen: when } : {};
}
