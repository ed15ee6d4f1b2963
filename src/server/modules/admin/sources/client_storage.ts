import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { clientsInSight } from '../platform_use.ts';

const LISTED = 10;

/** The visible clients that use the most storage. */
const clientStorage: ReportSource = {
  reads: { client_account: [] },
  async rows(call) {
    const clients = await clientsInSight(call);
    const largest = clients.toSorted((a, b) => b.storage_mb - a.storage_mb).slice(0, LISTED);
    return { rows: largest.map(({ name, storage_mb }) => ({ client: name, storage_mb })) };
  },
};

export default clientStorage;
