import type { Effect } from '../../../engine/modules.ts';

/** Creates the revised return of a defective filing, with the same period, day, people and tax. */
export const revise: Effect = {
  async apply({ unit, record }) {
    const copied = [
      'form_id',
      'unit_id',
      'period_from',
      'period_to',
      'event_date',
      'due_on',
      'extended_due_on',
      'extension_ref',
      'preparer_id',
      'reviewer_id',
      'filer_id',
      'nil_return',
      'turnover_band',
      'tax_payable',
      'tax_paid_in_cash',
      'interest_from',
      'paid_on',
      'challan_no',
    ];
    const revision = await unit.create('filing', {
      ...Object.fromEntries(copied.map((name) => [name, record[name]])),
      revised_of_id: record.id,
    });
    await unit.update('filing', record.id, { revision_id: revision.id });
    await unit.transition('filing', revision.id, 'start');
  },
};
