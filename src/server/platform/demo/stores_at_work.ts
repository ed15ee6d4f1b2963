import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Tenant } from '../../db/tenant.ts';
import { DemoPerson, letPeopleWork } from './demo_people.ts';

type Row = Record<string, unknown>;

/** The company with lifts, whose stores are filled. */
const COMPANY = 'ALP';
const FOLDERS = ['fms_stores', 'fms_requests'];

/**
 * Adds some weeks of work in the stores of the demo company. The documents use the engine's transitions, because only
 * postings write ledger, balances, values, reservations and serial numbers. Existing documents stay.
 */
export async function addStoresAtWork(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  today: string,
): Promise<void> {
  if (!screens.has('stock_adjustment')) return;
  const types = {
    item_mstr: { by: 'item_code' },
    uom: { by: 'code' },
    vendor_mstr: { by: 'name' },
    mr_type: { by: 'code' },
    reason_for_requirement: { by: 'code' },
    root_cause_mstr: { by: 'code' },
    action_taken_mstr: { by: 'code' },
    branch: { by: 'code', ofCompany: true },
    stock_point: { by: 'code', ofCompany: true },
    bin_mstr: { by: 'code', ofCompany: true },
    employee: { by: 'empno', ofCompany: true },
    lift: { by: 'lift_no', ofCompany: true },
  } as const;
  await letPeopleWork(
    tenant,
    screens,
    today,
    { company: COMPANY, folders: FOLDERS, types, isDone: 'stock_move' },
    (person) =>
      storesAtWork(
        {
          keeper: new Stores(...person(0)),
          manager: new Stores(...person(1)),
          engineer: new Stores(...person(2)),
        },
        today,
      ),
  );
}

/** The actions of one person in the stores. */
class Stores extends DemoPerson {
  point = (code: string): number => this.id('stock_point', code);

  line(item: string, qty: string, more: Row = {}): Row {
    return { item_id: this.id('item_mstr', item), condition: 'new', qty, ...more };
  }

  /** @throws Error if no receipt has made such a batch */
  async batch(no: string): Promise<number> {
    const [found] = await this.act((unit) =>
      unit.query<{ id: number }>('select id from {stock_batch} where batch_no = $1', [no]),
    );
    if (!found) throw new Error(`demo: the stores have no batch "${no}".`);
    return Number(found.id);
  }

  /** The approved request for parts of a lift. */
  requestFor(lift: string): Promise<WireRecord> {
    return this.act(async (unit) => {
      const [row] = await unit.query<{ id: number }>(
        `select id from {mr} where lift_id = $1 and state = 'approved' order by id limit 1`,
        [this.id('lift', lift)],
      );
      return unit.read('mr', Number(row!.id));
    });
  }
}

const monthEnd = (day: string, monthsAgo: number): string =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - monthsAgo, 0)).toISOString().slice(0, 10);

/** The author of a document does not approve it, and the two approvals of a request come from two people. */
interface People {
  keeper: Stores;
  manager: Stores;
  engineer: Stores;
}

async function storesAtWork(people: People, today: string): Promise<void> {
  await openingStock(people, today);
  await purchases(people);
  await betweenStores(people);
  await extension(people);
  await requests(people);
  await kits(people);
  await counts(people);
}

async function openingStock({ keeper, manager }: People, today: string): Promise<void> {
  const opening = async (store: string, lines: Row[]) => {
    const made = await keeper.add('stock_adjustment', {
      kind: 'opening',
      stock_point_id: keeper.point(store),
      adjusted_on: keeper.day(-75),
      reason: 'Stock at the start',
      lines,
    });
    await keeper.take(made, 'stock_adjustment', 'submit');
    await manager.take(made, 'stock_adjustment', 'approve', 'post');
  };
  const bin = (code: string) => ({ bin_id: keeper.id('bin_mstr', code) });
  await opening('CHN-ST', [
    keeper.line('CTR-00001', '40', { rate: '820', ...bin('CHN-EL-R1-01') }),
    keeper.line('CTR-00002', '25', { rate: '310', ...bin('CHN-EL-R1-02') }),
    keeper.line('BRD-00001', '3', { rate: '2480', serial_nos: ['MCB-1001', 'MCB-1002', 'MCB-1003'] }),
    keeper.line('BRD-00002', '2', { rate: '3350', serial_nos: ['YK-5501', 'YK-5502'] }),
    keeper.line('ROP-00001', '120', { rate: '165', batch_no: 'UM-2611', made_on: keeper.day(-200) }),
    keeper.line('DOR-00002', '3', { rate: '1150', ...bin('CHN-ME-R1-01') }),
    keeper.line('CBN-00003', '6', { rate: '940', batch_no: 'EX-0412', made_on: keeper.day(-345) }),
    keeper.line('OIL-00001', '50', { rate: '212.5', batch_no: 'SV-77', made_on: keeper.day(-400) }),
  ]);
  await opening('CBE-ST', [
    keeper.line('CTR-00001', '12', { rate: '820' }),
    keeper.line('DOR-00002', '8', { rate: '1150' }),
    keeper.line('GDS-00001', '16', { rate: '95' }),
  ]);
  await manager.add('stock_period', { month_end: monthEnd(today, 2) }, 'close');
  await keeper.add('stock_period', { month_end: monthEnd(today, 1) });
}

async function purchases({ keeper, manager }: People): Promise<void> {
  const order = (vendor: string, ago: number, lines: Row[]) =>
    keeper.add('purchase_order', {
      vendor_id: keeper.id('vendor_mstr', vendor),
      po_date: keeper.day(-ago),
      ship_to_stock_point_id: keeper.point('CHN-ST'),
      lines: lines.map(({ condition: _new, ...line }) => ({ ...line, due_on: keeper.day(7 - ago) })),
    });
  const electrical = await order('Malabar Electricals', 12, [
    keeper.line('CTR-00001', '20', { rate: '845' }),
    keeper.line('CTR-00002', '10', { rate: '318' }),
  ]);
  await keeper.take(electrical, 'purchase_order', 'submit');
  await manager.take(electrical, 'purchase_order', 'approve', 'send_by_hand');
  await keeper.make(
    electrical,
    'purchase_order',
    'grn',
    'grn',
    {
      fields: { grn_date: keeper.day(0), vendor_invoice_no: 'ME/2291', charges: [{ kind: 'freight', amount: '450' }] },
      lines: (lines) => [
        { ...lines[0], received_qty: '15', accepted_qty: '13', reject_reason: 'Two housings are cracked' },
      ],
    },
    'inspect',
    'post',
  );
  const ropes = await order('Sri Murugan Ropes', 3, [keeper.line('ROP-00002', '200', { rate: '88' })]);
  await keeper.take(ropes, 'purchase_order', 'submit');
  await order('Coimbatore Bearings', 0, [keeper.line('GDS-00002', '12', { rate: '410' })]);
  const receipt = (vendor: string, { qty, ...line }: Row, ...steps: string[]) =>
    keeper.add(
      'grn',
      {
        source: 'vendor',
        vendor_id: keeper.id('vendor_mstr', vendor),
        stock_point_id: keeper.point('CHN-ST'),
        lines: [{ ...line, received_qty: qty, accepted_qty: qty }],
      },
      ...steps,
    );
  await receipt('Deccan Controls', keeper.line('CBN-00001', '30', { rate: '145' }));
  await receipt('Deccan Controls', keeper.line('CBN-00002', '10', { rate: '560' }), 'inspect');
  await keeper.add('stock_adjustment', {
    kind: 'write_off',
    stock_point_id: keeper.point('CHN-ST'),
    reason: 'Water came into the shelf',
    lines: [keeper.line('CTR-00002', '2')],
  });
}

async function betweenStores({ keeper, manager }: People): Promise<void> {
  const indent = (store: string, lines: Row[], ...steps: string[]) =>
    keeper.add(
      'mr_indent',
      {
        kind: 'reorder',
        for_stock_point_id: keeper.point(store),
        from_stock_point_id: keeper.point('CHN-ST'),
        lines,
      },
      ...steps,
    );
  const asked = await indent('BLR-ST', [keeper.line('CTR-00001', '8')], 'submit');
  await manager.take(asked, 'mr_indent', 'approve');
  await keeper.make(
    asked,
    'mr_indent',
    'transfer',
    'mr_transfer',
    { fields: { transfer_date: keeper.day(0), expected_on: keeper.day(1) } },
    'submit',
    'dispatch',
  );
  await indent('HYD-ST', [keeper.line('CTR-00001', '6'), keeper.line('CTR-00002', '4')], 'submit');
  await indent('CBE-ST', [keeper.line('BRD-00001', '1')]);
  const lateral = (lines: Row[], ...steps: string[]) =>
    keeper.add(
      'mr_transfer',
      {
        from_stock_point_id: keeper.point('CHN-ST'),
        to_stock_point_id: keeper.point('CBE-ST'),
        lines,
      },
      ...steps,
    );
  const short = await lateral([keeper.line('CTR-00002', '5')], 'submit');
  await manager.take(short, 'mr_transfer', 'approve');
  await keeper.take(short, 'mr_transfer', 'dispatch');
  await manager.make(
    short,
    'mr_transfer',
    'grn',
    'grn',
    { lines: (lines) => [{ ...lines[0], received_qty: '4', accepted_qty: '3', reject_reason: 'Broken on the way' }] },
    'inspect',
    'post',
  );
  await lateral([keeper.line('OIL-00001', '10')], 'submit');
}

/** A barrel of oil that was tested and may be used for some months more, if the manager agrees. */
async function extension({ keeper }: People): Promise<void> {
  const batch = await keeper.batch('SV-77');
  await keeper.add(
    'batch_extension',
    { batch_id: batch, extend_to: keeper.day(420), why: 'Viscosity and water content measured: as new.' },
    'ask',
  );
}

async function requests({ keeper, manager, engineer }: People): Promise<void> {
  const asked = await keeper.add(
    'mr',
    {
      mr_type_id: keeper.id('mr_type', 'MOD'),
      lift_id: keeper.id('lift', 'L00004'),
      raised_by_id: keeper.id('employee', 'L0025'),
      technician_id: keeper.id('employee', 'L0025'),
      priority: 'P2',
      reason_id: keeper.id('reason_for_requirement', 'UPG'),
      root_cause_id: keeper.id('root_cause_mstr', 'WEAR'),
      from_stock_point_id: keeper.point('CHN-ST'),
      remark: 'Asked for again after the last visit.',
      lines: [
        {
          item_id: keeper.id('item_mstr', 'CTR-00001'),
          qty: '2',
          uom_id: keeper.id('uom', 'NOS'),
          cover: 'goodwill',
          cover_reason: 'Fitted twice within a year',
        },
      ],
    },
    'submit',
  );
  await manager.take(asked, 'mr', 'approve');
  const request = await engineer.take(asked, 'mr', 'approve_technical');
  const issued = await keeper.make(request, 'mr', 'issue', 'mr_issue', {}, 'issue');
  const used = await keeper.add(
    'mr_consumption',
    {
      lift_id: keeper.id('lift', 'L00004'),
      technician_id: keeper.id('employee', 'L0025'),
      root_cause_id: keeper.id('root_cause_mstr', 'WEAR'),
      action_taken_id: keeper.id('action_taken_mstr', 'REPL'),
      lines: [keeper.line('CTR-00001', '1', { removed_condition: 'faulty', old_serial_no: 'C-118' })],
    },
    'post',
  );
  await keeper.add(
    'mr_receipt',
    {
      technician_id: issued.technician_id,
      to_stock_point_id: keeper.point('CHN-ST'),
      lines: [{ kind: 'unused', item_id: (used.lines as Row[])[0]!.item_id, qty: '1' }],
    },
    'receive',
  );
  // The customer pays for these lines: their quotation has not been sent yet.
  const charged = await keeper.requestFor('L00006');
  await keeper.add('mr_quotation', {
    mr_id: charged.id,
    lines: (charged.lines as Row[]).map(({ id, item_id: item, qty, price }) => ({
      mr_line: id,
      line_kind: 'part',
      item_id: item,
      qty,
      rate: price,
    })),
  });
}

async function kits({ keeper }: People): Promise<void> {
  const issue = (technician: string, lines: Row[], ...steps: string[]) =>
    keeper.add(
      'mr_issue',
      {
        from_stock_point_id: keeper.point('CHN-ST'),
        technician_id: keeper.id('employee', technician),
        lines,
      },
      ...steps,
    );
  await issue('L0016', [keeper.line('CTR-00002', '3'), keeper.line('OIL-00001', '2')], 'issue');
  await issue('L0017', [keeper.line('CTR-00001', '2')]);
}

async function counts({ keeper, manager }: People): Promise<void> {
  const count = await keeper.add(
    'stock_count',
    {
      stock_point_id: keeper.point('CBE-ST'),
      scope: 'items',
      item_ids: [keeper.id('item_mstr', 'GDS-00001'), keeper.id('item_mstr', 'DOR-00002')],
    },
    'start',
  );
  const found: Record<number, string> = {
    [keeper.id('item_mstr', 'GDS-00001')]: '16',
    [keeper.id('item_mstr', 'DOR-00002')]: '7',
  };
  const counted = await keeper.change(count, 'stock_count', {
    lines: (count.lines as Row[]).map((line) => ({
      ...line,
      first_count: found[Number(line.item_id)],
      second_count: found[Number(line.item_id)],
    })),
  });
  await keeper.take(counted, 'stock_count', 'count');
  await manager.take(counted, 'stock_count', 'approve', 'post');
  await keeper.add('stock_count', { stock_point_id: keeper.point('KIT-01'), scope: 'kit' });
}
