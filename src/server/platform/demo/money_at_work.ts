import type { WireRecord } from '../../../descriptor/types.ts';
import type { DeskPeople, Place } from './service_desk.ts';

type Row = Record<string, unknown>;

/** A customer's money in every state: bills, receipts, cheques in the bank, securities, advances and statements. */
export async function moneyAtWork(people: DeskPeople, place: Place): Promise<void> {
  const money = new Money(people, place);
  await money.cheques();
  await money.proforma();
  await money.advance();
  await money.refusedReceipts();
  await money.securities();
  await money.statement();
}

class Money {
  readonly #people: DeskPeople;
  readonly #place: Place;

  constructor(people: DeskPeople, place: Place) {
    this.#people = people;
    this.#place = place;
  }

  async #bill(rate: string, description: string, more: Row = {}): Promise<WireRecord> {
    const { desk } = this.#people;
    const { customer, building } = this.#place;
    const made = await desk.add('billing', {
      bill_kind: 'tax_invoice',
      order_no: 'KTE/118',
      customer_id: customer,
      building_id: building,
      branch_id: desk.branch,
      lines: [{ service_id: desk.id('fmsservice', 'REPAIR'), description, qty: '1', rate }],
      ...more,
    });
    return desk.take(made, 'billing', 'post');
  }

  /** A receipt of what a bill amounts to, or of an advance. */
  #receipt(mode: string, number: string, amount: string, bill: WireRecord | null): Promise<WireRecord> {
    const { desk } = this.#people;
    return desk.add('receipt', {
      customer_id: this.#place.customer,
      branch_id: desk.branch,
      receipt_mode_id: desk.id('receipt_mode_mstr', mode),
      amount,
      instrument_no: number,
      instrument_on: desk.day(0),
      bank_id: desk.id('bank_mstr', 'KVB-CBE'),
      ...(mode === 'CHQ' && { drawee_bank: 'City Union Bank' }),
      allocations: bill ? [{ billing_id: bill.id, cash: amount }] : [],
    });
  }

  async #approved(receipt: WireRecord): Promise<WireRecord> {
    await this.#people.desk.take(receipt, 'receipt', 'submit');
    return this.#people.head.take(receipt, 'receipt', 'approve');
  }

  /** Two cheques were paid in and one of them has cleared. */
  async cheques(): Promise<void> {
    const { desk, head } = this.#people;
    const paidIn = async (number: string, rate: string, description: string) => {
      const bill = await this.#bill(rate, description);
      const cheque = await this.#approved(await this.#receipt('CHQ', number, String(bill.grand_total), bill));
      return desk.add(
        'deposit',
        {
          deposit_kind: 'pay_in',
          deposit_on: desk.day(0),
          branch_id: desk.branch,
          bank_id: desk.id('bank_mstr', 'KVB-CBE'),
          slip_no: `S${number}`,
          slips: [{ receipt_id: cheque.id }],
        },
        'pay_in',
      );
    };
    await paidIn('450112', '12500.00', 'Door operator of hall 1 repaired');
    const cleared = await paidIn('450113', '8200.00', 'Car light and fan renewed');
    await head.step(cleared, 'deposit', 'clear_all', { clears_on: desk.day(0) });
  }

  /** A proforma that was paid: the tax invoice was made of it. */
  async proforma(): Promise<void> {
    const proforma = await this.#bill('25000.00', 'Load test of all lifts', { bill_kind: 'proforma' });
    await this.#approved(await this.#receipt('NEFT', 'KVBLN26000077120', String(proforma.grand_total), proforma));
  }

  /** An advance that a bill was paid from, and another use that was undone. */
  async advance(): Promise<void> {
    const { desk, head } = this.#people;
    const receipt = await this.#approved(await this.#receipt('NEFT', 'KVBLN26000077121', '30000.00', null));
    const bill = await this.#bill('16000.00', 'Governor rope replaced');
    const booked = (cash: string) =>
      desk.add(
        'advance_use',
        {
          used_on: desk.day(0),
          customer_id: this.#place.customer,
          branch_id: desk.branch,
          receipt_id: receipt.id,
          bills: [{ billing_id: bill.id, cash }],
        },
        'book',
      );
    await booked('9000.00');
    await head.step(await booked('2500.00'), 'advance_use', 'undo', { undone_on: desk.day(0) });
  }

  /** A receipt that was entered twice, and one that was rejected. */
  async refusedReceipts(): Promise<void> {
    const { desk, head } = this.#people;
    const twice = await this.#approved(await this.#receipt('NEFT', 'KVBLN26000077122', '4000.00', null));
    await head.step(twice, 'receipt', 'reverse', {
      reason: desk.id('reason', 'RR01'),
      remark: 'The bank sent one advice for both branches.',
    });
    const wrong = await this.#receipt('NEFT', 'KVBLN26000077123', '1500.00', null);
    await desk.take(wrong, 'receipt', 'submit');
    await head.step(wrong, 'receipt', 'reject', { reason: 'The money is not on the account.' });
  }

  /** A security that was kept because the customer owed more. */
  async securities(): Promise<void> {
    const { desk, head } = this.#people;
    const security = await desk.add(
      'deposit',
      {
        deposit_kind: 'security_taken',
        deposit_on: desk.day(0),
        branch_id: desk.branch,
        customer_id: this.#place.customer,
        bank_id: desk.id('bank_mstr', 'KVB-CBE'),
        amount: '5000.00',
        instrument: 'dd',
        instrument_no: '450114',
      },
      'lodge',
    );
    await head.step(security, 'deposit', 'forfeit', {
      forfeited: '5000.00',
      reason: 'The lift was damaged at the move.',
    });
  }

  async statement(): Promise<void> {
    const { desk } = this.#people;
    await desk.add(
      'account_statement',
      {
        customer_id: this.#place.customer,
        from_on: desk.day(-90),
        to_on: desk.day(0),
        email: 'accounts@kovaitextile.example',
      },
      'send',
    );
  }
}
