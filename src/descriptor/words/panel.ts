import { defineWord } from './word.ts';

/** Figures of a record, computed by a report or drawn by a tile of a dashboard. */
export interface RecordPanel {
  title: string;
  /** The report whose figures and totals are shown. */
  report?: string;
  /** The dashboard and its tile that are shown instead. */
  dashboard?: string;
  tile?: string;
  /** Fields of the record, or `id`, by the parameters of the report, or the filters of the dashboard, that they fill. */
  with: Record<string, string>;
  /** The address that its heading opens, with fields of the record as `:field`. */
  to?: string;
}

declare module '../types.ts' {
  interface WrittenWords {
    panel?: RecordPanel;
  }
  interface ScreenWords {
    panel?: RecordPanel;
  }
}

export const panel = defineWord<RecordPanel>({
  name: 'panel',
  on: 'screen',
  shape: {
    description: 'Figures above the fields of a record: what a report or a tile says of this record alone.',
    type: 'object',
    required: ['title', 'with'],
    oneOf: [{ required: ['report'] }, { required: ['dashboard', 'tile'] }],
    additionalProperties: false,
    properties: {
      title: { description: 'The heading of the figures.', type: 'string', minLength: 1, maxLength: 60 },
      report: { description: 'The report that computes them.', type: 'string' },
      dashboard: { description: 'The dashboard whose tile is shown, instead of a report.', type: 'string' },
      tile: { description: 'The tile of that dashboard.', type: 'string' },
      with: {
        description: 'The parameters of the report, or the filters of the dashboard, that fields of the record fill.',
        type: 'object',
        minProperties: 1,
        additionalProperties: { type: 'string' },
      },
      to: { description: 'The address that the heading opens; :field is a field of the record.', type: 'string' },
    },
    examples: [{ title: 'Money', report: 'outstanding', with: { customer_id: 'id' } }],
  },
  check: (check) => {
    for (const [parameter, field] of Object.entries(check.screen.panel?.with ?? {}))
      if (field !== 'id' && !check.names.has(field))
        check.report(
          ['panel', 'with', parameter],
          `There is no field "${field}".`,
          'Name a field of the record, or id.',
        );
  },
  overlay: {
    lay: ({ product: { panel: own }, gone }) =>
      own ? { panel: Object.values(own.with).some((field) => gone.has(field)) ? undefined : own } : {},
  },
  chapter: 'The form',
  doc: [
    '**`panel`**: figures on the page of a record, computed by a report for this record alone: `report` is its name, `with`',
    'the parameters that fields of the record fill. The figures and the totals of the report are shown; people who may not',
    'open the report do not see the panel. `to` is the address that its heading opens. With `dashboard` and `tile` instead',
    'of `report` the panel shows that tile, with the filters of the dashboard that fields of the record fill.',
  ],
  example: [
    {
      part: {
        panel: { title: 'Money', report: 'outstanding', with: { customer_id: 'id' } },
      },
    },
  ],
});
