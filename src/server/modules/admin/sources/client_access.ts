import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { askedOf } from '../client_access.ts';

/** The available clients, and whether the chosen one gives the reader access. */
const clientAccess: ReportSource = {
  reads: {},
  async rows(call) {
    const { figures, code, client } = askedOf(call);
    return { rows: [], widget: await figures.look(call.session, code, client) };
  },
};

export default clientAccess;
