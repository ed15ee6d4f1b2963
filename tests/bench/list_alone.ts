import type { Directory } from '../../src/server/db/directory.ts';
import { openTenant } from '../../src/server/db/directory.ts';
import { preparedStatement } from '../../src/server/db/sql_text.ts';
import { loadScreens } from '../../src/server/engine/descriptors/load.ts';
import { systemSession } from '../../src/server/engine/events/system_session.ts';
import { CountMemory } from '../../src/server/engine/records/count_memory.ts';
import { listRecords } from '../../src/server/engine/records/list.ts';
import { parseListQuery } from '../../src/server/engine/records/list_query.ts';
import { median } from './load.ts';
import { visitsByHand } from './visits_by_hand.ts';

const SCHEMA = 'cmp_demo';
const USER = 1;
const AT_ONCE = 8;
const ROUNDS = 5;
const ROUND_MS = 3_000;

/** How often `call` ends in a second, with several at a time. */
async function perSecond(call: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  let calls = 0;
  const loop = async () => {
    while (performance.now() - from < ROUND_MS) {
      await call();
      calls++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
  return (calls * 1_000) / (performance.now() - from);
}

/**
 * A list with a field seen by state and author, against its statement by hand on the same connections, both in this
 * process and in turn: the statement and the engine's own work, without HTTP and session. @returns calls a second
 */
export async function listAlone(guest: Directory, schemasDir: string): Promise<{ engine: number; hand: number }> {
  const { screens } = await loadScreens(schemasDir);
  const screen = screens.get('bench_visit')!;
  const tenant = await openTenant(
    guest,
    (await guest.tenants()).find(({ schema }) => schema === SCHEMA)!,
  );
  const session = systemSession(tenant, 1, USER);
  const columns = 'amount,branch_id,customer_id,number,qty,start_date,status';
  const query = parseListQuery({ size: '20', count: 'none', columns }, screen);
  const counts = new CountMemory();
  const calls = {
    engine: () => listRecords(session, screen, screens, query, counts),
    hand: () => tenant.db.query(preparedStatement(visitsByHand, [USER])),
  };
  const rates: { engine: number[]; hand: number[] } = { engine: [], hand: [] };
  for (let round = 0; round < ROUNDS; round++)
    for (const name of ['hand', 'engine'] as const) rates[name].push(await perSecond(calls[name]));
  return { engine: median(rates.engine), hand: median(rates.hand) };
}
