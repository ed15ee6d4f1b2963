import type { Screen, WireRecord } from '../../../../src/descriptor/types.ts';
import { compile, sample } from '../../descriptor/fixtures/compile_sample.ts';

/** A screen with a field of every kind that lists filter by, compiled as the server compiles it. */
export function contractScreen(more: Record<string, unknown> = {}): Screen {
  const contract = sample(
    {
      title: 'Contract',
      description: 'What was agreed with a customer.',
      access: { screen: 'SCN_CONTRACT' },
      label: ['name', 'code'],
      tree: { parent: 'contract_id' },
      grid: ['name', 'code', 'status', 'value', 'starts_on', 'branch_id', 'renewed'],
      card: ['name', 'status', 'value', 'branch_id'],
      filters: ['status', 'branch_id'],
      sort: ['name'],
      views: [{ name: 'Drafts', filter: ['status', 'in', ['draft']], sort: ['-starts_on'] }],
      ...more,
    },
    {
      status: {
        $ref: 'types#enum',
        title: 'Status',
        enum: ['draft', 'active', 'ended'],
        'x-labels': { draft: 'Draft', active: 'Active', ended: 'Ended' },
        'x-colours': { draft: 'neutral', active: 'success', ended: 'danger' },
      },
      value: { $ref: 'types#money', title: 'Value' },
      floors: { $ref: 'types#integer', title: 'Floors' },
      starts_on: { $ref: 'types#date', title: 'Starts on' },
      branch_id: { $ref: 'types#ref', title: 'Branch', 'x-ref': 'branch' },
      contract_id: { $ref: 'types#ref', title: 'Renews', 'x-ref': 'contract' },
      renewed: { $ref: 'types#boolean', title: 'Renewed' },
      words: { $ref: 'types#tags', title: 'Words' },
    },
  );
  const branch = sample({ title: 'Branch', access: { screen: 'SCN_BRANCH' } });
  const { screens, problems } = compile({ contract, branch });
  if (problems.length > 0) throw new Error(JSON.stringify(problems, null, 2));
  return screens.get('contract')!;
}

/** A record of the screen, as a list answers it. */
export function contractRow(id: number, more: Record<string, unknown> = {}): WireRecord {
  return {
    id,
    version: 1,
    active: true,
    code: `C${id}`,
    name: `Contract ${id}`,
    status: 'active',
    value: '125000.00',
    starts_on: '2026-04-01',
    branch_id: 3,
    branch_id__label: 'Chennai',
    renewed: false,
    ...more,
  };
}
