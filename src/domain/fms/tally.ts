import { Exact } from '../../descriptor/exact.ts';

/** A row of a voucher: its date as YYYY-MM-DD, and an amount in one of the two columns. */
export interface TallyRow {
  day: string;
  kind: string;
  voucher: string;
  ledger: string;
  debit: string | null;
  credit: string | null;
  narration: string | null;
}

/** The voucher types of Tally by our kinds; others are journal vouchers. */
const TYPES: Readonly<Record<string, string>> = {
  bill: 'Sales',
  credit_note: 'Credit Note',
  receipt: 'Receipt',
  pay_in: 'Contra',
};

/** Text in XML, without the control characters that it cannot contain. */
const plain = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const tag = (name: string, text: string): string => `<${name}>${plain(text)}</${name}>`;

/** An entry: Tally writes debits as negative amounts. */
function entry({ ledger, debit, credit }: TallyRow): string {
  const amount = debit === null ? new Exact(credit ?? 0) : new Exact(debit).negated();
  return [
    '<ALLLEDGERENTRIES.LIST>',
    tag('LEDGERNAME', ledger),
    tag('ISDEEMEDPOSITIVE', debit === null ? 'No' : 'Yes'),
    tag('AMOUNT', amount.toFixed(2)),
    '</ALLLEDGERENTRIES.LIST>',
  ].join('');
}

/**
 * Vouchers as Tally imports them (Gateway of Tally, Import, Vouchers), into the company that is open there. The ledger
 * codes must be the names of its ledgers.
 */
export function tallyVouchers(rows: readonly TallyRow[]): string {
  const vouchers = Map.groupBy(rows, ({ day, kind, voucher }) => `${day} ${kind} ${voucher}`);
  const messages = [...vouchers.values()].map((entries) => {
    const { day, kind, voucher, narration } = entries[0]!;
    const type = TYPES[kind] ?? 'Journal';
    return [
      '<TALLYMESSAGE xmlns:UDF="TallyUDF">',
      `<VOUCHER VCHTYPE="${type}" ACTION="Create">`,
      tag('DATE', day.replaceAll('-', '')),
      tag('VOUCHERTYPENAME', type),
      tag('VOUCHERNUMBER', voucher),
      ...(narration === null ? [] : [tag('NARRATION', narration)]),
      ...entries.map(entry),
      '</VOUCHER>',
      '</TALLYMESSAGE>',
    ].join('\n');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<ENVELOPE>',
    '<HEADER><TALLYREQUEST>Import Data</TALLYREQUEST></HEADER>',
    '<BODY><IMPORTDATA><REQUESTDESC><REPORTNAME>Vouchers</REPORTNAME></REQUESTDESC><REQUESTDATA>',
    ...messages,
    '</REQUESTDATA></IMPORTDATA></BODY>',
    '</ENVELOPE>',
    '',
  ].join('\n');
}
