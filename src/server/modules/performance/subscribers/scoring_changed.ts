import type { Subscriber } from '../../../engine/modules.ts';

/** The fields of a KPI that turn an actual into an achievement; all else is copied to the updates of a sheet. */
const MEASURE = ['direction', 'tolerance', 'slabs'];

/** A KPI is measured in another way: the open figures of all companies that use it follow. */
export const kpiChanged: Subscriber = {
  async run({ event, unit }) {
    const { fields } = event.payload;
    if (!Array.isArray(fields)) return;
    const isMeasured = fields.some((name) => MEASURE.includes(name as string));
    if (!isMeasured && !fields.includes('confidential')) return;
    const kpi = event.of!.id;
    const [known] = await unit.query<{ there: boolean }>(`select to_regclass('{kpi_actual}') is not null as there`);
    if (!known!.there) return;
    // Who sees figures is no part of them: frozen ones follow too.
    await unit.query(
      `update {kpi_actual} a set seen_by = case when k.confidential then 'line' else 'all' end from {kpi} k
       where k.id = a.kpi_id and k.id = $1 and a.seen_by is distinct from case when k.confidential then 'line' else 'all' end`,
      [kpi],
    );
    if (!isMeasured) return;
    const companies = await unit.query<{ id: number }>(
      `select distinct entity_id as id from {kpi_actual} where kpi_id = $1 and active and status <> 'frozen'`,
      [kpi],
    );
    for (const { id } of companies) unit.enqueueIn(id, 'recompute_scores', { kpi }, `kpi ${kpi} of ${id}`);
  },
};

/** The company's settings for scores changed: its open figures follow. */
export const scoringChanged: Subscriber = {
  run({ event, unit }) {
    if (event.company !== null) unit.enqueue('recompute_scores', {}, `company ${event.company}`);
    return Promise.resolve();
  },
};
