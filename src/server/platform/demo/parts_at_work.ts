import type { WireRecord } from '../../../descriptor/types.ts';
import type { People, PeopleOn, Row, Stores } from './stores_people.ts';

const REQUEST = 'mr';
const ISSUE = 'mr_issue';
const USE = 'mr_consumption';
const RECEIPT = 'mr_receipt';
const DUE = 'mr_return_due';

/** The parts of a day after which requests are approved commercially and technically. */
const COVERED = 0.05;
export const DECIDED = 0.12;

/** Parts on their way through the hands of technicians: requested, issued, used, and returned. */
export async function requestsForParts(on: PeopleOn, dataDir: string): Promise<void> {
  await requestsInApproval(on);
  await closedRequest(on);
  await goodwillPart(on);
  await kitRequests(on, dataDir);
  await cancelledRequest(on);
  await uses(on);
  await issues(on(0));
  await returns(on(0));
}

interface Asked {
  /** Empty: for the kit of the technician. */
  lift?: string;
  technician: string;
  line: Row;
  remark: string;
  /** A breakdown or a repair is asked for from its ticket; otherwise it is an upgrade of the lift, or the refill of a kit. */
  type?: 'BRK' | 'REP';
  /** Why the old part failed. */
  cause?: string;
}

/** A request for a part of a lift that both approvers have approved. */
export async function approvedRequest(on: PeopleOn, daysAgo: number, asks: Asked): Promise<WireRecord> {
  const asked = await submitted(on(daysAgo).keeper, asks);
  await on(daysAgo - COVERED).manager.take(asked, REQUEST, 'approve');
  return on(daysAgo - DECIDED).engineer.take(asked, REQUEST, 'approve_technical');
}

async function submitted(keeper: Stores, asks: Asked): Promise<WireRecord> {
  const asked = await request(keeper, asks);
  return keeper.take(asked, REQUEST, 'submit');
}

const REASONS = { BRK: 'DEAD', REP: 'PLAN', MOD: 'UPG', KIT: 'STOCK' };

async function request(
  keeper: Stores,
  { lift, technician, line, remark, type: asked, cause = 'WEAR' }: Asked,
): Promise<WireRecord> {
  const { condition: _new, ...part } = line;
  const type = asked ?? (lift === undefined ? 'KIT' : 'MOD');
  const isForTicket = type === 'BRK' || type === 'REP';
  return keeper.add(REQUEST, {
    mr_type_id: keeper.id('mr_type', type),
    reason_id: keeper.id('reason_for_requirement', REASONS[type]),
    ...(lift !== undefined && {
      lift_id: keeper.id('lift', lift),
      root_cause_id: keeper.id('root_cause_mstr', cause),
    }),
    ...(isForTicket && {
      ticket_id: (await keeper.newest('fms_ticket', 'lift_id', keeper.id('lift', lift!))).id,
      pause_ticket: false,
    }),
    raised_by_id: keeper.employee(technician),
    technician_id: keeper.employee(technician),
    priority: { BRK: 'P1', REP: 'P2', MOD: 'P2', KIT: 'P3' }[type],
    from_stock_point_id: keeper.point('CHN-ST'),
    remark,
    lines: [{ uom_id: keeper.id('uom', 'NOS'), ...part }],
  });
}

/** Requests on their way through the approvals, and those that were returned or refused there. */
async function requestsInApproval(on: PeopleOn): Promise<void> {
  const ask = (daysAgo: number, type: 'BRK' | 'REP', lift: string, [item, qty]: [string, string], more: Row = {}) => {
    const { keeper } = on(daysAgo);
    const { remark, cause, ...line } = more;
    return submitted(keeper, {
      type,
      lift,
      technician: 'L0025',
      line: keeper.line(item, qty, line),
      remark: String(remark),
      ...(cause !== undefined && { cause: String(cause) }),
    });
  };
  const { keeper } = on(0);
  await request(keeper, {
    type: 'REP',
    lift: 'L00001',
    technician: 'L0025',
    line: keeper.line('BRD-00001', '1'),
    remark: 'The board resets twice a week.',
  });
  const wet = { cause: 'WATER', old_serial_no: 'YK-2201' };
  await ask(0.1, 'BRK', 'L00002', ['BRD-00002', '1'], { ...wet, remark: 'The drive stood in water.' });
  await ask(1, 'REP', 'L00003', ['CTR-00001', '2'], { remark: 'Both contactors chatter.' });
  const relay = await ask(2, 'REP', 'L00004', ['CTR-00002', '1'], { remark: 'The relay sticks when it is warm.' });
  await on(1.9).manager.take(relay, REQUEST, 'approve');
  const board = await ask(4, 'REP', 'L00005', ['BRD-00001', '1'], { remark: 'Replaced on request of the customer.' });
  await on(3.9).manager.step(board, REQUEST, 'hold', { hold_because: 'payment' });
  const drive = await ask(3, 'BRK', 'L00006', ['BRD-00002', '1'], {
    ...wet,
    remark: 'Water came in from the terrace.',
  });
  await on(2.9).manager.take(drive, REQUEST, 'approve');
  await on(2).engineer.take(drive, REQUEST, 'approve_technical');
  const wrong = await ask(6, 'REP', 'L00001', ['CTR-00001', '1'], { remark: 'A contactor of the old type.' });
  await on(5.9).manager.because(wrong, REQUEST, 'return', 'Which contactor? Enter its position in the lift.');
  const many = await ask(9, 'REP', 'L00002', ['CTR-00002', '4'], { remark: 'Spare relays for the machine room.' });
  await on(8).manager.because(many, REQUEST, 'reject', 'We keep no spare parts at the site.');
}

/** A request that was approved, supplied and used, after some days on hold. */
async function closedRequest(on: PeopleOn): Promise<void> {
  const { keeper } = on(22);
  const asked = await submitted(keeper, {
    type: 'REP',
    lift: 'L00011',
    technician: 'L0025',
    line: keeper.line('CTR-00001', '1'),
    remark: 'The contacts are burnt down.',
  });
  await on(21.9).manager.step(asked, REQUEST, 'hold', { hold_because: 'renewal' });
  await on(21).manager.take(asked, REQUEST, 'release', 'approve');
  await on(20.9).engineer.take(asked, REQUEST, 'approve_technical');
  await issueFor(on(20).keeper, asked);
  const used = on(19.9).keeper;
  await fit(used, 'L00011', 'L0025', used.line('CTR-00001', '1', { removed_condition: 'none_removed' }));
}

/** Issues the parts of a request. */
export const issueFor = (keeper: Stores, of: WireRecord, lines?: (lines: Row[]) => Row[]): Promise<WireRecord> =>
  keeper.make(of, REQUEST, 'issue', ISSUE, { ...(lines && { lines }) }, 'issue');

/** Posts that a technician has put parts into a lift. */
export const fit = (keeper: Stores, lift: string, technician: string, ...lines: Row[]): Promise<WireRecord> =>
  draftOfUse(keeper, lift, technician, lines, 'post');

const draftOfUse = (keeper: Stores, lift: string, technician: string, lines: Row[], ...steps: string[]) =>
  keeper.add(
    USE,
    {
      lift_id: keeper.id('lift', lift),
      technician_id: keeper.employee(technician),
      root_cause_id: keeper.id('root_cause_mstr', 'WEAR'),
      action_taken_id: keeper.id('action_taken_mstr', 'REPL'),
      lines,
    },
    ...steps,
  );

export const receipt = (keeper: Stores, technician: string, line: Row, ...steps: string[]): Promise<WireRecord> =>
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
async function goodwillPart(on: PeopleOn): Promise<void> {
  const { keeper } = on(7);
  const cover = { cover: 'goodwill', cover_reason: 'Fitted twice within a year' };
  const asked = await approvedRequest(on, 7, {
    lift: 'L00004',
    technician: 'L0025',
    line: keeper.line('CTR-00001', '2', cover),
    remark: 'Asked for again after the last visit.',
  });
  await issueFor(on(6).keeper, asked);
  await fit(
    on(5.9).keeper,
    'L00004',
    'L0025',
    keeper.line('CTR-00001', '1', { removed_condition: 'faulty', old_serial_no: 'C-118' }),
  );
  await receipt(on(5).keeper, 'L0025', unused(keeper, 'CTR-00001', '1'), 'receive');
}

/** Refills of kits: reserved for collection, and received by the technician. */
async function kitRequests(on: PeopleOn, dataDir: string): Promise<void> {
  const refill = async ({ keeper }: People, technician: string, qty: string) => {
    const line = keeper.line('CTR-00001', qty);
    const asked = await submitted(keeper, { technician, line, remark: 'Below the level of the kit.' });
    // Nobody decides on a refill: the product approves it.
    await keeper.act((unit) => unit.takeAuto(REQUEST, asked.id, 'approve'));
    return asked;
  };
  await refill(on(1), 'L0021', '3');
  const { keeper } = on(3);
  const issued = await issueFor(keeper, await refill(on(4), 'L0028', '2'));
  await keeper.step(issued, ISSUE, 'acknowledge', { signature: await keeper.sign('mr_issue.signature', dataDir) });
}

async function cancelledRequest(on: PeopleOn): Promise<void> {
  const { keeper } = on(25);
  const line = keeper.line('GDS-00002', '4');
  const asked = await submitted(keeper, { lift: 'L00023', technician: 'L0025', line, remark: 'Roller guides.' });
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
async function uses(on: PeopleOn): Promise<void> {
  const { keeper } = on(0);
  const removed = (old: string): Row => ({ removed_condition: 'faulty', old_serial_no: old });
  await draftOfUse(keeper, 'L00007', 'L0016', [keeper.line('CTR-00002', '1', removed('R-0316'))]);
  const checked = await fit(on(2).keeper, 'L00014', 'L0028', keeper.line('CTR-00001', '1', removed('C-207')));
  await on(1).manager.take(checked, USE, 'verify');
  const asked = await approvedRequest(on, 10, {
    lift: 'L00015',
    technician: 'L0025',
    line: keeper.line('CTR-00002', '1', { cover: 'goodwill', cover_reason: 'Promised at the handover' }),
    remark: 'The customer asks for a spare relay in the panel.',
  });
  await issueFor(on(9).keeper, asked);
  const wrong = await fit(on(8.9).keeper, 'L00015', 'L0025', keeper.line('CTR-00002', '1', removed('R-2207')));
  await on(8).manager.because(wrong, USE, 'reverse', 'The relay was fitted in the lift beside it.');
}

/** The line of a receipt for an old part that is due. */
export const faultyLine = (due: WireRecord): Row => ({
  kind: 'faulty',
  return_due_id: due.id,
  item_id: due.item_id,
  qty: '1',
  serial_no: due.old_serial_no,
});

/** Old and unused parts that come back to the store, and one that is paid instead. */
async function returns({ keeper, manager }: People): Promise<void> {
  const lost = await keeper.newest(DUE, 'old_serial_no', 'SN-4411');
  await manager.step(lost, DUE, 'recover', { recovered_amount: '650' });
  await receipt(keeper, 'L0016', unused(keeper, 'CTR-00002', '1'));
  const twice = await receipt(keeper, 'L0016', unused(keeper, 'CTR-00002', '1'), 'receive');
  await keeper.because(twice, RECEIPT, 'reverse', 'The technician needs it at the next lift.');
  const faulty = async (old: string, technician: string, decision: Row) => {
    const due = await keeper.newest(DUE, 'old_serial_no', old);
    const received = await receipt(keeper, technician, faultyLine(due), 'receive');
    const lines = (received.lines as Row[]).map((one) => ({ ...one, ...decision }));
    await keeper.change(received, RECEIPT, { lines });
    return keeper.take(received, RECEIPT, 'inspect');
  };
  await faulty('C-207', 'L0028', { disposition: 'scrap' });
  await faulty('MCB-0917', 'L0025', { disposition: 'repair', repair_point_id: keeper.point('HTD-RP') });
}
