import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APPROVALS, copySchemas } from '../schemas_with.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import type { MailServer } from '../messages/mail_server.ts';
import { startMailServer } from '../messages/mail_server.ts';
import { killedProcess } from '../killed_process.ts';
import { startWorld } from '../world.ts';
import { CONTRACT_CODE, contractTests } from './contract_parts.ts';
import { sendWrong } from './wrong_records.ts';

// Three documents as users of another product know them: an offer that is approved, the order made of it, and receipts.

type Row = Record<string, unknown>;
type Doc = Row & { id: number; version: number; status: string; lines: Row[]; items: Row[] };

let schemasDir: string;
let mail: MailServer;
let world: World;
let acme: TestTenant;
let seller: Caller;
let chief: Caller;
let clerk: Caller;
let stranger: Caller;
let alone: Caller;

const OFFER = 'quotation_erp';
const ORDER = 'sales_order_erp';
const RECEIPT = 'purchase_receipt_erp';
const CODES = ['SCN_ERP_QUOTATION', 'SCN_ERP_ORDER', 'SCN_ERP_RECEIPT', CONTRACT_CODE];
const today = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  schemasDir = mkdtempSync(join(tmpdir(), 'erp-'));
  copySchemas(schemasDir, [...APPROVALS, 'terms_and_conditions']);
  for (const file of readdirSync(join(import.meta.dirname, 'erp')))
    cpSync(join(import.meta.dirname, 'erp', file), join(schemasDir, 'organisation', file));
  mail = await startMailServer();
  world = await startWorld({
    schemasDir,
    env: { SMTP_URL: `smtp://127.0.0.1:${mail.port}?tls=none`, MAIL_FROM: 'Acme <sales@acme.example>' },
  });
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
    ['stranger', await acme.role({ modules: ['MASTERS'], screens: {} })],
    [
      'alone',
      await acme.role({ modules: ['MASTERS'], screens: { [CONTRACT_CODE]: { pages: [...pages], scope: 'own' } } }),
    ],
  ] as const)
    await acme.user(name, { companies: [{ company: 1, roles: [role] }] });
  [seller, clerk, chief, stranger, alone] = await Promise.all([
    world.signIn(acme, 'seller'),
    world.signIn(acme, 'clerk'),
    world.signIn(acme, 'chief'),
    world.signIn(acme, 'stranger'),
    world.signIn(acme, 'alone'),
  ]);
});
afterAll(async () => {
  await world.close();
  await mail.close();
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
  it('is numbered on submission, approved by somebody else, and locked except for what its state leaves open', async () => {
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
    expect([locked.statusCode, locked.body]).toEqual([409, expect.stringContaining('Party can no longer be changed')]);
    expect((await put(seller, { valid_until: '2098-12-31' })).statusCode).toBe(200);
    // The owner's fields are not the clerk's.
    expect((await put(clerk, { valid_until: '2097-12-31' })).statusCode).toBe(409);
    const rows = (await read(OFFER, made.id)).lines;
    expect((await put(seller, { lines: rows.map((row) => ({ ...row, discount: '5' })) })).statusCode).toBe(200);
    expect((await put(seller, { lines: rows.map((row) => ({ ...row, rate: '1' })) })).statusCode).toBe(409);
    expect((await put(seller, { lines: rows.slice(1) })).statusCode).toBe(409);
    expect((await clerk.call('DELETE', `/tapi/${OFFER}/${made.id}`)).statusCode).toBe(409);
  });

  it('leaves no gap after deleted drafts or a refused submission', async () => {
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

  it('as a preview is not stored, and takes no number', async () => {
    const made = await offer();
    const before = await acme.sql('select key, value from {s}.number_counter order by key');
    const shown = await ok(seller.call('POST', `/tapi/${OFFER}/${made.id}/submit?preview=1`, {}));
    expect(shown.status).toBe('submitted');
    expect(await read(OFFER, made.id)).toMatchObject({ status: 'draft', version: made.version });
    expect(await acme.sql('select key, value from {s}.number_counter order by key')).toEqual(before);
  });

  it('decided by two people at once is decided once, and the second one sees who was first', async () => {
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

  it('is approved with others from the list; a refused one does not stop the rest', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 3; n++) ids.push((await offer()).id);
    for (const id of ids.slice(0, 2)) await ok(step(seller, OFFER, id, 'submit'));
    const answer = await chief.call('POST', `/tapi/${OFFER}/bulk/approve`, { ids });
    expect(answer.json()).toMatchObject({ data: { changed: ids.slice(0, 2), errors: [{ id: ids[2] }] } });
    expect((await chief.call('POST', `/tapi/${OFFER}/bulk/send_back`, { ids })).statusCode).toBe(404);
  });
});

describe('an order made from an offer', () => {
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

  it('releases the offer when it is cancelled; until then the offer cannot be lost', async () => {
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

  it('needs access to the offer, and an approved offer', async () => {
    const draft = await offer();
    expect((await seller.call('GET', `/tapi/${ORDER}/new?from=${OFFER}/${draft.id}&make=order`)).statusCode).toBe(409);
    for (const from of [`${OFFER}/999999`, 'branch/1', 'nothing/1'])
      expect((await seller.call('GET', `/tapi/${ORDER}/new?from=${from}&make=order`)).statusCode, from).toBe(404);
  });
});

describe('receipts of an order', () => {
  it('take its quantities, never more than are open, and give them back', async () => {
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

  it('agree with the order after random histories of make, change, cancel and delete', async () => {
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
  });
});

describe('a printed offer', () => {
  const pdf = (by: Caller, id: number, file = 'print/letter.pdf') => by.call('GET', `/tapi/${OFFER}/${id}/${file}`);
  const bytes = async (answer: ReturnType<typeof pdf>) => {
    const got = await answer;
    expect([got.statusCode, got.headers['content-type']], got.body.slice(0, 200)).toEqual([200, 'application/pdf']);
    expect(got.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    return got.rawPayload;
  };

  it('is available as a preview marked DRAFT, only to people who may see the record', async () => {
    const { id } = await offer();
    const prints = await seller.call('GET', `/tapi/${OFFER}/${id}/prints`);
    expect(prints.json()).toEqual({ data: { offered: [{ name: 'letter', title: 'Letter' }], issued: [] } });
    const draft = await bytes(pdf(seller, id));
    expect(await bytes(pdf(seller, id))).toEqual(draft);
    await ok(step(seller, OFFER, id, 'submit'));
    expect(await bytes(pdf(seller, id))).not.toEqual(draft);
    await acme.user('outsider', { companies: [{ company: 1 }] });
    const outsider = await world.signIn(acme, 'outsider');
    expect((await pdf(outsider, id)).statusCode).toBe(403);
    expect((await pdf(seller, id, 'print/nothing.pdf')).statusCode).toBe(404);
    expect((await pdf(seller, id, 'issued/1.pdf')).statusCode).toBe(404);
  });

  it('shows the record and its company: rows, sums, amount in words, clauses of the day', async () => {
    await acme.sql(
      `update {s}.entity set legal_name = 'Acme Lifts Private Limited', gstin = '33AAACA1234A1Z5' where id = 1`,
    );
    await ok(
      world
        .signIn(acme, 'admin')
        .catch(async () => {
          await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
          return world.signIn(acme, 'admin');
        })
        .then((admin) =>
          admin
            .call('POST', '/tapi/terms_group', { code: 'Q', name: 'Offers', used_on: ['quotation'] })
            .then(({ json }) =>
              admin.call('POST', '/tapi/terms_and_conditions', {
                code: 'PAY',
                title: 'Payment',
                terms_group_id: json<{ data: { id: number } }>().data.id,
                sequence_no: 1,
                used_on: ['quotation'],
                text: '<p>Within <strong>30</strong> days.</p>',
                valid_from: '2020-01-01',
              }),
            ),
        ),
      201,
    );
    const { id } = await approved({
      email: 'towers@example.com',
      lines: [
        { item: 'Rope', qty: '10', rate: '100.00' },
        { item: 'Free', qty: '0', rate: '1.00' },
        { item: 'Oil', qty: '4', rate: '25.50', discount: '10' },
      ],
    });
    const sent = await ok(step(seller, OFFER, id, 'send'));
    const [kept] = await acme.sql<{ content: { blocks: Row[]; watermark: null; title: string } }>(
      'select content from {s}.kept_print where record_id = $1',
      [id],
    );
    expect(kept!.content).toMatchObject({ title: `Letter ${String(sent.offer_no)}`, watermark: null });
    const { blocks } = kept!.content;
    expect(blocks[0]).toMatchObject({
      kind: 'letterhead',
      name: 'Acme Lifts Private Limited',
      lines: expect.arrayContaining([expect.stringContaining('GSTIN 33AAACA1234A1Z5')]) as unknown,
    });
    expect(blocks[1]).toEqual({ kind: 'heading', text: `Offer ${String(sent.offer_no)}` });
    expect(blocks[2]).toMatchObject({
      entries: expect.arrayContaining([{ title: 'Party', text: 'Towers' }]) as unknown,
    });
    expect(blocks[3]).toMatchObject({
      columns: expect.arrayContaining([{ title: 'Net (₹)', align: 'right', width: 'fit' }]) as unknown,
      groups: [
        {
          rows: [
            ['Rope', '10', '100.00', '0 %', '1,000.00'],
            ['Oil', '4', '25.50', '10 %', '91.80'],
          ],
        },
      ],
      sums: ['Total', '', '', '', '1,091.80'],
    });
    expect(blocks[4]).toMatchObject({ text: 'Rupees One Thousand Ninety One and Paise Eighty Only' });
    expect(blocks.some((block) => String(block.text).startsWith('Lost'))).toBe(false);
    expect(blocks[5]).toMatchObject({ kind: 'list', entries: [{ title: 'Payment', text: 'Within 30 days.' }] });
  });

  it('is issued and mailed in the act that sends it, and never changes', async () => {
    const { id } = await approved({ email: 'towers@example.com' });
    const without = await approved();
    const refused = await step(seller, OFFER, without.id, 'send');
    expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('no e-mail address')]);
    expect(await acme.sql('select 1 from {s}.kept_print where record_id = $1', [without.id])).toEqual([]);
    const shown = await seller.call('POST', `/tapi/${OFFER}/${id}/send?preview=1`, {});
    expect(shown.statusCode, shown.body).toBe(200);
    expect(await acme.sql('select 1 from {s}.kept_print where record_id = $1', [id])).toEqual([]);
    const sent = await ok(step(seller, OFFER, id, 'send'));
    await world.app.outbox.send(acme);
    const arrived = () => mail.mails.find(({ subject }) => subject === `Offer ${String(sent.offer_no)}`);
    await expect.poll(arrived).toBeDefined();
    const letter = arrived();
    expect(letter).toMatchObject({
      to: [{ address: 'towers@example.com' }],
      attachments: [
        { filename: `Letter ${String(sent.offer_no).replaceAll('/', '-')}.pdf`, mimeType: 'application/pdf' },
      ],
    });
    expect(letter!.text).toContain('Dear Towers, please see.');
    const attached = Buffer.from(letter!.attachments[0]!.content as ArrayBuffer);
    expect(await bytes(pdf(seller, id))).toEqual(attached);
    // Changed afterwards, what was issued is what it was.
    const now = await read(OFFER, id);
    await ok(seller.call('PUT', `/tapi/${OFFER}/${id}`, { version: now.version, valid_until: '2098-01-01' }));
    expect(await bytes(pdf(seller, id))).toEqual(attached);
    await ok(step(seller, OFFER, id, 'send'));
    expect(await bytes(pdf(seller, id))).not.toEqual(attached);
    const { data } = (await seller.call('GET', `/tapi/${OFFER}/${id}/prints`)).json<{ data: { issued: Row[] } }>();
    expect(data.issued).toHaveLength(2);
    expect(await bytes(pdf(seller, id, `issued/${String(data.issued[1]!.id)}.pdf`))).toEqual(attached);
    // Another record's is not found under this one.
    const other = await approved();
    expect((await pdf(seller, other.id, `issued/${String(data.issued[1]!.id)}.pdf`)).statusCode).toBe(404);
  });

  it('is stored once and mailed once, whichever step of its print the server is killed at', async () => {
    const { id } = await approved({ email: 'towers@example.com' });
    const sent = await ok(step(seller, OFFER, id, 'send'));
    await world.app.outbox.send(acme);
    const steps = Array.from({ length: 6 }, (_, at) => at);
    // One for each step, as if each had been issued just now; their titles tell their files apart.
    const kept = await acme.sql<{ id: number }>(
      `insert into {s}.kept_print (record_type, record_id, name, title, content)
       select record_type, record_id, name, title, jsonb_set(content, '{title}', to_jsonb('Killed ' || n))
       from {s}.kept_print, generate_series(0, ${steps.length - 1}) n where record_id = $1 order by n returning id`,
      [id],
    );
    await acme.sql(
      `insert into {s}.outbox (channel, recipient, subject, body, dedupe_key, prints)
       select 'mail', 'towers@example.com', 'Killed ' || id, 'See the letter.', 'killed/' || id, array[id] from unnest($1::bigint[]) id`,
      [kept.map((one) => one.id)],
    );
    const killed = await killedProcess(join(import.meta.dirname, 'killed_print_child.ts'), world.database, steps, {
      SCHEMA: acme.schema,
      KEPT: kept.map((one) => one.id).join(','),
    });
    expect([killed[0], killed.at(-1)]).toEqual([true, false]);
    await world.app.outbox.send(acme);
    const mails = () => mail.mails.filter(({ subject }) => subject?.startsWith('Killed '));
    await expect.poll(() => mails().length).toBe(steps.length);
    expect(new Set(mails().map(({ messageId }) => messageId)).size).toBe(steps.length);
    const files = await acme.sql<{ path: string; kept: number; title: string }>(
      `select f.path, k.id as kept, k.content ->> 'title' as title from {s}.file f join {s}.kept_print k on k.file_id = f.id where k.id = any($1::bigint[])`,
      [kept.map((one) => one.id)],
    );
    // Each has one file, the one that was mailed; none stands beside them.
    expect(new Set(files.map(({ path }) => path)).size).toBe(steps.length);
    expect(await acme.sql(`select 1 from {s}.file where name like 'Killed %'`)).toHaveLength(steps.length);
    for (const { kept: number } of files) {
      const letter = mails().find(({ subject }) => subject === `Killed ${number}`)!;
      const attached = Buffer.from(letter.attachments[0]!.content as ArrayBuffer);
      expect(await bytes(pdf(seller, id, `issued/${number}.pdf`))).toEqual(attached);
    }
    expect((await read(OFFER, id)).offer_no).toBe(sent.offer_no);
  });
});

contractTests(() => ({ acme, seller, other: clerk, stranger, alone }));

describe('invalid records', () => {
  const RIGHT: Record<string, Row> = {
    [OFFER]: { party: 'X', offered_on: today, valid_until: '2099-12-31', lines: [{ item: 'a', qty: '1', rate: '1' }] },
    [ORDER]: { party: 'X', lines: [{ item: 'a', qty: '1', rate: '1' }] },
    service_contract_erp: { customer: 'X', signed_on: '2026-04-01', lines: [{ lift: 'A', prices: [], stops: [] }] },
    lift_visit_erp: { customer: 'X', works: [{ lift: 'A', visits: '1' }] },
  };

  it.each([...Object.keys(RIGHT), RECEIPT])(
    'of %s are refused or stored, and never cause a server error',
    async (type) => {
      const right = RIGHT[type] ?? { order_id: (await confirmedOrder()).id, items: [{ item: 'a', qty: '1' }] };
      const by = type in RIGHT ? seller : clerk;
      const { id } = await ok(by.call('POST', `/tapi/${type}`, right), 201);
      const { faults, refused, sent } = await sendWrong(by, world.screens.get(type)!, right, () => read(type, id));
      expect(faults).toEqual([]);
      expect(refused).toBeGreaterThan(sent / 3);
    },
  );
});
