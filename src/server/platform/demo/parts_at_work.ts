import type { WireRecord } from '../../../descriptor/types.ts';
import type { People, PeopleOn, Row, Stores } from './stores_people.ts';

const REQUEST = 'mr';
const ISSUE = 'mr_issue';
const USE = 'mr_consumption';
const RECEIPT = 'mr_receipt';
const DUE = 'mr_return_due';

/** Parts on their way through the hands of technicians: requested, issued, used, and returned. */
export async function requestsForParts(on: PeopleOn, dataDir: string): Promise<void> {
  await goodwillPart(on(0));
  await kitRequests(on, dataDir);
  await cancelledRequest(on);
  await uses(on(0));
  await issues(on(0));
  await returns(on(0));
}

/** A request for a part of a lift that both approvers have approved. */
export async function approvedRequest(
  { keeper, manager, engineer }: People,
  { lift, technician, line, remark }: { lift: string; technician: string; line: Row; remark: string },
): Promise<WireRecord> {
  const asked = await request(keeper, { lift, technician, line, remark });
  await keeper.take(asked, REQUEST, 'submit');
  await manager.take(asked, REQUEST, 'approve');
  return engineer.take(asked, REQUEST, 'approve_technical');
}

/** Drafts a request: an upgrade of a lift, otherwise the refill of a kit. */
function request(
  keeper: Stores,
  { lift, technician, line, remark }: { lift?: string; technician: string; line: Row; remark: string },
): Promise<WireRecord> {
  const { condition: _new, ...part } = line;
  return keeper.add(REQUEST, {
    mr_type_id: keeper.id('mr_type', lift === undefined ? 'KIT' : 'MOD'),
    reason_id: keeper.id('reason_for_requirement', lift === undefined ? 'STOCK' : 'UPG'),
    ...(lift !== undefined && {
      lift_id: keeper.id('lift', lift),
      root_cause_id: keeper.id('root_cause_mstr', 'WEAR'),
    }),
    raised_by_id: keeper.employee(technician),
    technician_id: keeper.employee(technician),
    priority: lift === undefined ? 'P3' : 'P2',
    from_stock_point_id: keeper.point('CHN-ST'),
    remark,
    lines: [{ uom_id: keeper.id('uom', 'NOS'), ...part }],
  });
}

/** Issues the parts of a request. */
export const issueFor = (keeper: Stores, of: WireRecord): Promise<WireRecord> =>
  keeper.make(of, REQUEST, 'issue', ISSUE, {}, 'issue');

/** Posts that a technician has put a part into a lift. */
export const fit = (keeper: Stores, lift: string, technician: string, line: Row): Promise<WireRecord> =>
  draftOfUse(keeper, lift, technician, line, 'post');

const draftOfUse = (keeper: Stores, lift: string, technician: string, line: Row, ...steps: string[]) =>
  keeper.add(
    USE,
    {
      lift_id: keeper.id('lift', lift),
      technician_id: keeper.employee(technician),
      root_cause_id: keeper.id('root_cause_mstr', 'WEAR'),
      action_taken_id: keeper.id('action_taken_mstr', 'REPL'),
      lines: [line],
    },
    ...steps,
  );

const receipt = (keeper: Stores, technician: string, line: Row, ...steps: string[]): Promise<WireRecord> =>
  keeper.add(
    RECEIPT,
    { technician_id: keeper.employee(technician), to_stock_point_id: keeper.point('CHN-ST'), lines: [line] },
    ...steps,
  );

const unused = (keeper: Stores, item: string, qty: string): Row => ({
  kind: 'unused',
  item_id: keeper.id('item_mstr', item),
  qty,
});

/** A part that we give, although it was fitted twice within a year; of two, one is used and one returned. */
async function goodwillPart(people: People): Promise<void> {
  const { keeper } = people;
  const cover = { cover: 'goodwill', cover_reason: 'Fitted twice within a year' };
  const asked = await approvedRequest(people, {
    lift: 'L00004',
    technician: 'L0025',
    line: keeper.line('CTR-00001', '2', cover),
    remark: 'Asked for again after the last visit.',
  });
  await issueFor(keeper, asked);
  await fit(
    keeper,
    'L00004',
    'L0025',
    keeper.line('CTR-00001', '1', { removed_condition: 'faulty', old_serial_no: 'C-118' }),
  );
  await receipt(keeper, 'L0025', unused(keeper, 'CTR-00001', '1'), 'receive');
}

/** Refills of kits: reserved for collection, and received by the technician. */
async function kitRequests(on: PeopleOn, dataDir: string): Promise<void> {
  const refill = async ({ keeper }: People, technician: string, qty: string) => {
    const line = keeper.line('CTR-00001', qty);
    const asked = await request(keeper, { technician, line, remark: 'Below the level of the kit.' });
    await keeper.take(asked, REQUEST, 'submit');
    // Nobody decides on a refill: the product approves it.
    await keeper.act((unit) => unit.takeAuto(REQUEST, asked.id, 'approve'));
    return asked;
  };
  await refill(on(1), 'L0021', '3');
  const { keeper } = on(0);
  const issued = await issueFor(keeper, await refill(on(4), 'L0028', '2'));
  await keeper.step(issued, ISSUE, 'acknowledge', { signature: await keeper.sign('mr_issue.signature', dataDir) });
}

async function cancelledRequest(on: PeopleOn): Promise<void> {
  const { keeper } = on(25);
  const line = keeper.line('GDS-00002', '4');
  const asked = await request(keeper, { lift: 'L00023', technician: 'L0025', line, remark: 'Roller guides.' });
  await keeper.take(asked, REQUEST, 'submit');
  await on(23).keeper.because(asked, REQUEST, 'cancel', 'The mill closes this lift.');
}

/** Issues to kits without a request. */
async function issues({ keeper }: People): Promise<void> {
  const issue = (technician: string, lines: Row[], ...steps: string[]) =>
    keeper.add(
      ISSUE,
      { from_stock_point_id: keeper.point('CHN-ST'), technician_id: keeper.employee(technician), lines },
      ...steps,
    );
  await issue('L0016', [keeper.line('CTR-00002', '3'), keeper.line('OIL-00001', '2')], 'issue');
  const short = await issue('L0032', [keeper.line('CTR-00002', '3')], 'issue');
  await keeper.step(short, ISSUE, 'dispute', { dispute_note: 'Two relays are in the bag, not three.' });
  const wrong = await issue('L0017', [keeper.line('OIL-00001', '5')], 'issue');
  await keeper.because(wrong, ISSUE, 'reverse', 'The oil went with another technician.');
  await issue('L0017', [keeper.line('CTR-00001', '2')]);
}

/** Uses of parts: not posted yet, checked by the manager, and taken back. */
async function uses(people: People): Promise<void> {
  const { keeper, manager } = people;
  const removed = (old: string): Row => ({ removed_condition: 'faulty', old_serial_no: old });
  await draftOfUse(keeper, 'L00007', 'L0016', keeper.line('CTR-00002', '1', removed('R-0316')));
  const checked = await fit(keeper, 'L00014', 'L0028', keeper.line('CTR-00001', '1', removed('C-207')));
  await manager.take(checked, USE, 'verify');
  const asked = await approvedRequest(people, {
    lift: 'L00015',
    technician: 'L0025',
    line: keeper.line('CTR-00002', '1', { cover: 'goodwill', cover_reason: 'Promised at the handover' }),
    remark: 'The customer asks for a spare relay in the panel.',
  });
  await issueFor(keeper, asked);
  const wrong = await fit(keeper, 'L00015', 'L0025', keeper.line('CTR-00002', '1', removed('R-2207')));
  await manager.because(wrong, USE, 'reverse', 'The relay was fitted in the lift beside it.');
}

/** Old and unused parts that come back to the store, and one that is paid instead. */
async function returns({ keeper, manager }: People): Promise<void> {
  const lost = await keeper.newest(DUE, 'old_serial_no', 'SN-4411');
  await manager.step(lost, DUE, 'recover', { recovered_amount: '650' });
  await receipt(keeper, 'L0016', unused(keeper, 'CTR-00002', '1'));
  const twice = await receipt(keeper, 'L0016', unused(keeper, 'CTR-00002', '1'), 'receive');
  await keeper.because(twice, RECEIPT, 'reverse', 'The technician needs it at the next lift.');
  const faulty = async (old: string, technician: string, decision: Row) => {
    const due = await keeper.newest(DUE, 'old_serial_no', old);
    const line = { kind: 'faulty', return_due_id: due.id, item_id: due.item_id, qty: '1', serial_no: old };
    const received = await receipt(keeper, technician, line, 'receive');
    const lines = (received.lines as Row[]).map((one) => ({ ...one, ...decision }));
    await keeper.change(received, RECEIPT, { lines });
    return keeper.take(received, RECEIPT, 'inspect');
  };
  await faulty('C-207', 'L0028', { disposition: 'scrap' });
  await faulty('MCB-0917', 'L0025', { disposition: 'repair', repair_point_id: keeper.point('HTD-RP') });
}
