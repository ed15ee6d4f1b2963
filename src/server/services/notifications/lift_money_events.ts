interface MoneyEvent {
  code: string;
  name: string;
  title: string;
  body: string;
  module?: string;
  severity?: 'success' | 'warning' | 'error';
}

/** What people learn of bills, dues and statutory dates of the lift service. */
export function liftMoneyEvents<Made>(event: (given: MoneyEvent) => Made): Made[] {
  const of = (given: MoneyEvent) => event({ module: 'fms', ...given });
  return [
    of({
      code: 'fms.bills_made',
      name: 'Bills that were due have been created',
      title: '{drafts} bills were created',
      body: '{drafts} due bills were created, {posted} of them posted. {exceptions} could not be created or posted: check them.',
    }),
    of({
      code: 'fms.dues_late',
      name: 'A customer of yours is paying late',
      severity: 'warning',
      title: '{customer} owes {outstanding}',
      body: 'The oldest bill is {days} days late. {next}',
    }),
    of({
      code: 'fms.receipts_watch',
      name: 'Cheques and cash need attention',
      severity: 'warning',
      title: '{due} cheques are due tomorrow',
      body: '{due} post-dated cheques are due tomorrow, {unpaid} receipts should have been paid in, {uncleared} slips have not cleared for a week.',
    }),
    of({
      code: 'fms.not_paid_in',
      name: 'Your people should have paid money in',
      severity: 'warning',
      title: '{unpaid} receipts are not paid in',
      body: '{unpaid} receipts that your people collected should have been paid in at the bank by now.',
    }),
    of({
      code: 'fms.renewals_due',
      name: 'Contracts of your customers end soon',
      severity: 'warning',
      title: '{count} contracts end soon',
      body: '{contracts}.',
    }),
    of({
      code: 'fms.renewals_late',
      name: 'Contracts of your branch end without a quotation',
      severity: 'warning',
      title: '{count} contracts end soon without a quotation',
      body: '{contracts}.',
    }),
    of({
      code: 'fms.warranty_ending',
      name: 'The warranty of lifts of your customers ends',
      severity: 'warning',
      title: 'Warranty of {lifts} at {building} ends on {day}',
      body: 'A quotation for {customer} is drafted. Enter the rates and send it.',
    }),
    of({
      code: 'fms.contract_started',
      name: 'A contract of yours has started',
      severity: 'success',
      title: '{number} has started',
      body: 'The contract of {customer} runs from {from} to {to}.',
    }),
    of({
      code: 'fms.lift_dates',
      name: 'Licences, insurances, inspections, ropes and batteries of lifts are due',
      severity: 'warning',
      title: '{count} dates of lifts are near',
      body: '{lifts}.',
    }),
    of({
      code: 'fms.note_deadline',
      name: 'Deadline for credit notes',
      severity: 'warning',
      title: '{bills} open bills of last year',
      body: 'GST of bills of the last financial year can be credited until 30-11-{year}. {bills} of them are open.',
    }),
  ];
}
