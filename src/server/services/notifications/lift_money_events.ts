interface MoneyEvent {
  code: string;
  name: string;
  title: string;
  body: string;
  module?: string;
  severity?: 'success' | 'warning' | 'error';
}

/** What people learn of bills and dues of the lift service. */
export function liftMoneyEvents<Made>(event: (given: MoneyEvent) => Made): Made[] {
  const of = (given: MoneyEvent) => event({ module: 'fms', ...given });
  return [
    of({
      code: 'fms.bills_made',
      name: 'Bills that were due have been created',
      title: '{drafts} bills were created',
      body: '{drafts} bills are due and were made, {posted} of them posted. {exceptions} could not be made or posted: look at them.',
    }),
    of({
      code: 'fms.dues_late',
      name: 'A customer of yours is paying late',
      severity: 'warning',
      title: '{customer} owes {outstanding}',
      body: 'The oldest bill is {days} days late. The customer was reminded where there is an address.',
    }),
    of({
      code: 'fms.receipts_watch',
      name: 'Cheques and cash to be dealt with',
      severity: 'warning',
      title: '{due} cheques come due tomorrow',
      body: '{due} post-dated cheques come due tomorrow, {unpaid} receipts should have been paid in, {uncleared} slips have not cleared for a week.',
    }),
    of({
      code: 'fms.note_deadline',
      name: 'Last day of credit notes',
      severity: 'warning',
      title: '{bills} open bills of last year',
      body: 'GST of bills of the last financial year can be credited until 30-11-{year}. {bills} of them are open.',
    }),
  ];
}
