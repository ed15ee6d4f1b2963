import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { clientsInSight } from '../platform_use.ts';

/** Total usage of the visible clients: today's sign-ins and people, and storage. */
const platformUse: ReportSource = {
  reads: { client_account: [] },
  async rows(call) {
    const clients = await clientsInSight(call);
    const sum = (key: 'sign_ins' | 'people' | 'storage_mb') => clients.reduce((total, row) => total + row[key], 0);
    return {
      rows: [{ sign_ins: sum('sign_ins'), people: sum('people'), storage_gb: (sum('storage_mb') / 1024).toFixed(2) }],
    };
  },
};

export default platformUse;
