import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

// Three documents as users of another product know them: an offer that is approved, the order made of it, and receipts.

type Row = Record<string, unknown>;
type Doc = Row & { id: number; version: number; status: string; lines: Row[]; items: Row[] };

let schemasDir: string;
let world: World;
let acme: TestTenant;
let seller: Caller;
let chief: Caller;
let clerk: Caller;

const OFFER = 'quotation_erp';
const ORDER = 'sales_order_erp';
const RECEIPT = 'purchase_receipt_erp';
const CODES = ['SCN_ERP_QUOTATION', 'SCN_ERP_ORDER', 'SCN_ERP_RECEIPT'];
const today = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  schemasDir = mkdtempSync(join(tmpdir(), 'erp-'));
  cpSync(join(import.meta.dirname, '../../../schemas'), schemasDir, { recursive: true });
  for (const file of readdirSync(join(import.meta.dirname, 'erp')))
    cpSync(join(import.meta.dirname, 'erp', file), join(schemasDir, 'fms', file));
  world = await startWorld({ schemasDir });
  acme = await world.tenant();
  const pages = ['landing', 'add_screen', 'edit_screen', 'view_screen'] as const;
  const screens = (more: 'approval_screen'[] = []) =>
    Object.fromEntries(CODES.map((code) => [code, [...pages, ...more]]));
  const sells = await acme.role({ modules: ['MASTERS'], screens: screens() });
  const deletes = await acme.role({ modules: ['MASTERS'], screens: screens(), actions: ['DELETE_RECORDS'] });
  const decides = await acme.role({ modules: ['MASTERS'], screens: screens(['approval_screen']) });
  for (const [name, role] of [
    ['seller', sells],
    ['clerk', deletes],
    ['chief', decides],
  ] as const)
    await acme.user(name, { companies: [{ company: 1, roles: [role] }] });
  [seller, clerk, chief] = await Promise.all([
    world.signIn(acme, 'seller'),
    world.signIn(acme, 'clerk'),
    world.signIn(acme, 'chief'),
  ]);
});
afterAll(async () => {
  await world.close();
  rmSync(schemasDir, { recursive: true, force: true });
});

async function ok(answer: Promise<{ statusCode: number; body: string; json<T>(): T }>, status = 200): Promise<Doc> {
  const got = await answer;
  expect(got.statusCode, got.body).toBe(status);
  return got.json<{ data: Doc }>().data;
}
const read = (type: string, id: number) => ok(chief.call('GET', `/tapi/${type}/${id}`));
const step = async (by: Caller, type: string, id: number, name: string, more: object = {}) =>
  by.call('POST', `/tapi/${type}/${id}/${name}`, { version: (await read(type, id)).version, ...more });
const offer = (more: object = {}) =>
  ok(
    seller.call('POST', `/tapi/${OFFER}`, {
      party: 'Towers',
      offered_on: today,
      valid_until: '2099-12-31',
      lines: [
        { item: 'Rope', qty: '10', rate: '100.00' },
        { item: 'Oil', qty: '4', rate: '25.50', discount: '10' },
      ],
      ...more,
    }),
    201,
  );
async function approved(more: object = {}): Promise<Doc> {
  const made = await offer(more);
  await ok(step(seller, OFFER, made.id, 'submit'));
  return ok(step(chief, OFFER, made.id, 'approve'));
}
/** What the form of the next document begins with, saved as it is or changed. */
async function make(
  by: Caller,
  from: string,
  id: number,
  name: string,
  to: string,
  change: (values: Row) => Row = (v) => v,
) {
  const values = await ok(by.call('GET', `/tapi/${to}/new?from=${from}/${id}&make=${name}`));
  return by.call('POST', `/tapi/${to}`, change(values));
}
async function confirmedOrder(): Promise<Doc> {
  const { id } = await approved();
  const order = await ok(make(seller, OFFER, id, 'order', ORDER), 201);
  return ok(step(seller, ORDER, order.id, 'confirm'));
}

describe('an offer', () => {
  it('is numbered when it is submitted, decided by somebody else, and locked but for what its state leaves open', async () => {
    const made = await offer();
    expect(made).toMatchObject({ status: 'draft', offer_no: null, total: '1091.80' });
    await ok(step(seller, OFFER, made.id, 'submit'));
    const submitted = await read(OFFER, made.id);
    expect(submitted.offer_no).toMatch(/^OF\/\d{4}-\d{2}\/0001$/);
    expect((await step(seller, OFFER, made.id, 'approve')).statusCode).toBe(403);
    expect(await ok(step(chief, OFFER, made.id, 'approve'))).toMatchObject({
      status: 'approved',
      approved_by_id: chief.userId,
    });
    const put = async (by: Caller, body: object) =>
      by.call('PUT', `/tapi/${OFFER}/${made.id}`, { version: (await read(OFFER, made.id)).version, ...body });
    const locked = await put(seller, { party: 'Somebody else' });
    expect([locked.statusCode, locked.body]).toEqual([
      409,
      expect.stringContaining('Party cannot be changed any more'),
    ]);
    expect((await put(seller, { valid_until: '2098-12-31' })).statusCode).toBe(200);
    // The owner's fields are not the clerk's.
    expect((await put(clerk, { valid_until: '2097-12-31' })).statusCode).toBe(409);
    const rows = (await read(OFFER, made.id)).lines;
    expect((await put(seller, { lines: rows.map((row) => ({ ...row, discount: '5' })) })).statusCode).toBe(200);
    expect((await put(seller, { lines: rows.map((row) => ({ ...row, rate: '1' })) })).statusCode).toBe(409);
    expect((await put(seller, { lines: rows.slice(1) })).statusCode).toBe(409);
    expect((await clerk.call('DELETE', `/tapi/${OFFER}/${made.id}`)).statusCode).toBe(409);
  });

  it('leaves no gap when drafts are deleted, and none when a submission is refused', async () => {
    const numbers: string[] = [];
    for (let n = 0; n < 3; n++) {
      const empty = await offer({ lines: [{ item: 'Nothing', qty: '0', rate: '1' }] });
      expect((await step(seller, OFFER, empty.id, 'submit')).statusCode).toBe(422);
      const made = await offer();
      await ok(step(seller, OFFER, made.id, 'submit'));
      numbers.push(String((await read(OFFER, made.id)).offer_no).slice(-4));
    }
    expect(numbers.map(Number)).toEqual([Number(numbers[0]), Number(numbers[0]) + 1, Number(numbers[0]) + 2]);
  });

  it('shown as it would be is not kept, and takes no number', async () => {
    const made = await offer();
    const before = await acme.sql('select key, value from {s}.number_counter order by key');
    const shown = await ok(seller.call('POST', `/tapi/${OFFER}/${made.id}/submit?preview=1`, {}));
    expect(shown.status).toBe('submitted');
    expect(await read(OFFER, made.id)).toMatchObject({ status: 'draft', version: made.version });
    expect(await acme.sql('select key, value from {s}.number_counter order by key')).toEqual(before);
  });

  it('that two people decide at once is decided once, and the second hears who was first', async () => {
    const made = await offer();
    await ok(step(seller, OFFER, made.id, 'submit'));
    const { version } = await read(OFFER, made.id);
    const answers = await Promise.all(
      ['approve', 'send_back'].map((name) =>
        chief.call('POST', `/tapi/${OFFER}/${made.id}/${name}`, {
          version,
          ...(name === 'send_back' && { reason: 'Too dear' }),
        }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([200, 409]);
    const second = answers.find(({ statusCode }) => statusCode === 409)!;
    expect(second.json<{ error: Row }>().error).toMatchObject({ code: 'bad_state' });
  });

  it('is approved with others from the list; one that cannot be does not stop the rest', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 3; n++) ids.push((await offer()).id);
    for (const id of ids.slice(0, 2)) await ok(step(seller, OFFER, id, 'submit'));
    const answer = await chief.call('POST', `/tapi/${OFFER}/bulk/approve`, { ids });
    expect(answer.json()).toMatchObject({ data: { changed: ids.slice(0, 2), errors: [{ id: ids[2] }] } });
    expect((await chief.call('POST', `/tapi/${OFFER}/bulk/send_back`, { ids })).statusCode).toBe(404);
  });
});

describe('an order made of an offer', () => {
  it('is filled from it, linked with it, and made once', async () => {
    const { id, offer_no: number } = await approved();
    const order = await ok(make(seller, OFFER, id, 'order', ORDER), 201);
    expect(order).toMatchObject({ party: 'Towers', offer_id: id, offer_id__label: number, total: '1091.80' });
    expect((await read(OFFER, id)).status).toBe('ordered');
    const links = await seller.call('GET', `/tapi/${OFFER}/${id}/links`);
    expect(links.json()).toMatchObject({ data: { from: [], to: [{ type: ORDER, id: order.id }] } });
    expect((await seller.call('GET', `/tapi/${ORDER}/new?from=${OFFER}/${id}&make=order`)).statusCode).toBe(409);
    const again = await seller.call('POST', `/tapi/${ORDER}`, {
      party: 'X',
      lines: [{ item: 'a', qty: '1', rate: '1' }],
      _from: { type: OFFER, id, make: 'order' },
    });
    expect(again.statusCode).toBe(409);
    // Nothing of the refused one is there.
    expect(await acme.sql(`select 1 from {s}.${ORDER} where offer_id = $1`, [id])).toHaveLength(1);
  });

  it('that is cancelled sets the offer free; while it lives the offer cannot be lost', async () => {
    const { id } = await approved();
    const order = await ok(make(seller, OFFER, id, 'order', ORDER), 201);
    await ok(step(seller, ORDER, order.id, 'cancel', { reason: 'Wrong customer' }));
    expect((await read(OFFER, id)).status).toBe('approved');
    const second = await ok(make(seller, OFFER, id, 'order', ORDER), 201);
    expect((await read(OFFER, id)).status).toBe('ordered');
    expect((await step(seller, OFFER, id, 'reopen')).statusCode).toBe(404);
    await ok(step(seller, ORDER, second.id, 'cancel', { reason: 'Again' }));
    await ok(step(seller, OFFER, id, 'lose', { reason: 'Too dear' }));
    expect(await read(OFFER, id)).toMatchObject({ status: 'lost', lost_because: 'Too dear' });
  });

  it('is made by nobody who may not see the offer, or of an offer that is not approved', async () => {
    const draft = await offer();
    expect((await seller.call('GET', `/tapi/${ORDER}/new?from=${OFFER}/${draft.id}&make=order`)).statusCode).toBe(409);
    for (const from of [`${OFFER}/999999`, 'branch/1', 'nothing/1'])
      expect((await seller.call('GET', `/tapi/${ORDER}/new?from=${from}&make=order`)).statusCode, from).toBe(404);
  });
});

describe('receipts of an order', () => {
  it('take its quantities, never more than there are, and give them back', async () => {
    const order = await confirmedOrder();
    const first = await ok(
      make(clerk, ORDER, order.id, 'receive', RECEIPT, ({ items, ...values }) => ({
        ...values,
        items: (items as Row[]).map((row) => ({ ...row, qty: '3', rejected: '1' })),
      })),
      201,
    );
    expect((await read(ORDER, order.id)).lines.map(({ received_qty: qty }) => qty)).toEqual(['2.000', '2.000']);
    const tooMuch = await make(clerk, ORDER, order.id, 'receive', RECEIPT, ({ items, ...values }) => ({
      ...values,
      items: (items as Row[]).map((row) => ({ ...row, qty: '9' })),
    }));
    expect([tooMuch.statusCode, tooMuch.body]).toEqual([409, expect.stringContaining('at most 10')]);
    await ok(make(clerk, ORDER, order.id, 'receive', RECEIPT), 201);
    expect(await read(ORDER, order.id)).toMatchObject({ status: 'fulfilled', open: '0.000' });
    await ok(step(clerk, RECEIPT, first.id, 'cancel', { reason: 'Broken' }));
    expect(await read(ORDER, order.id)).toMatchObject({ status: 'confirmed', open: '4.000' });
    expect((await step(seller, ORDER, order.id, 'cancel', { reason: 'No' })).statusCode).toBe(409);
  });

  it('reconcile with the order over random histories of make, change, cancel and delete', async () => {
    const order = await confirmedOrder();
    const act = fc.record({
      do: fc.constantFrom('make', 'change', 'cancel', 'delete'),
      qty: fc.integer({ min: 0, max: 6 }),
      pick: fc.nat(50),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 10 }), async (acts) => {
        for (const { do: what, qty, pick } of acts) {
          const alive = await acme.sql<{ id: number; version: number }>(
            `select id, version from {s}.${RECEIPT} where status = 'draft' and order_id = $1 order by id`,
            [order.id],
          );
          const one = alive[pick % Math.max(alive.length, 1)];
          // An order that has received all is fulfilled, and nothing is made of it.
          if (what === 'make' && (await read(ORDER, order.id)).status === 'confirmed')
            await make(clerk, ORDER, order.id, 'receive', RECEIPT, ({ items, ...values }) => ({
              ...values,
              items: (items as Row[]).map((row) => ({ ...row, qty: String(qty) })),
            }));
          else if (one && what === 'change') {
            const receipt = await read(RECEIPT, one.id);
            await clerk.call('PUT', `/tapi/${RECEIPT}/${one.id}`, {
              version: receipt.version,
              items: receipt.items.map((row) => ({ ...row, qty: String(qty) })),
            });
          } else if (one && what === 'cancel') await step(clerk, RECEIPT, one.id, 'cancel', { reason: 'x' });
          else if (one) await clerk.call('DELETE', `/tapi/${RECEIPT}/${one.id}`);
        }
        const [sums] = await acme.sql<{ wrong: number }>(
          `select count(*)::int as wrong from {s}.${ORDER}__lines l where l.parent_id = $1 and (l.received_qty > l.qty or l.received_qty < 0 or l.received_qty <> coalesce((
             select sum(i.accepted) from {s}.record_link k cross join lateral jsonb_to_recordset(k.rows) r(target bigint, source bigint)
               join {s}.${RECEIPT} t on t.id = k.to_id and t.status <> 'cancelled' join {s}.${RECEIPT}__items i on i.id = r.target
             where k.from_type = '${ORDER}' and k.from_id = $1 and r.source = l.id), 0))`,
          [order.id],
        );
        expect(sums!.wrong).toBe(0);
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});
