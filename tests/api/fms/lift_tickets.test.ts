import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import type { ServiceCompany } from './service_company.ts';
import { serviceCompany } from './service_company.ts';

// Calls for lifts: from the telephone to the signature, with clocks, rescues and rights.

let world: World;
let acme: TestTenant;
let co: ServiceCompany;

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant();
  co = await serviceCompany(world, acme);
});
afterAll(() => world.close());

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('a call', () => {
  it('goes from the telephone to the signature, and says who did what when', async () => {
    const { ids, desk, anand, ok, step, raise } = co;
    const call = await raise({ reported_at: ago(60) });
    expect(call).toMatchObject({
      status: 'new',
      priority: 'p2',
      lift_down: true,
      building_id: ids.building,
      customer_id: ids.customer,
      team_id: ids.team,
      leader_id: ids.leader,
      cover: 'none',
      ticket_type: 'breakdown',
    });
    expect(String(call.ticket_no)).toMatch(/^FST\/\d{4}-\d\d\/000001$/);
    expect(Date.parse(String(call.restore_by)) - Date.parse(String(call.reported_at))).toBe(480 * 60_000);
    expect((await step(anand, call.id, 'assign', { technician_id: ids.anand })).statusCode).toBe(404);
    await ok(step(desk, call.id, 'assign', { technician_id: ids.anand }));
    await ok(step(anand, call.id, 'accept'));
    await ok(step(anand, call.id, 'go'));
    const far = await step(anand, call.id, 'arrive', { arrive_geo: { lat: 13.07, lng: 80.25 } });
    expect(far.json<{ error: { details: object[] } }>()).toMatchObject({
      error: { details: [{ field: 'arrive_note' }] },
    });
    const there = await ok(step(anand, call.id, 'arrive', { arrive_geo: { lat: 13.0601, lng: 80.25 } }));
    expect(there).toMatchObject({
      status: 'attending',
      respond_met: true,
      attendances: 1,
      assignments: [{ employee_id: ids.anand, arrive_off_m: 11 }],
    });
    await ok(step(anand, call.id, 'complete', { running_after: 'running', work_done: 'Door adjusted.' }));
    const lift = await co.read('lift', ids.lift!);
    expect(lift.running).toBe('running');
    const signed = await ok(step(anand, call.id, 'sign_off', { signed_by: 'Guard', rating: 4 }));
    expect(signed).toMatchObject({ status: 'signed_off', restore_met: true, rating: 4 });
    expect(signed.closes_at).not.toBeNull();
  });
});
