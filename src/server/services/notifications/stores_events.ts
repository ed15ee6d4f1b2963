interface StoresEvent {
  code: string;
  name: string;
  title: string;
  body: string;
  module?: string;
  severity?: 'success' | 'warning' | 'error';
  channels?: { inApp: boolean; mail: boolean; push: boolean };
}

/** What people learn of their stores. */
export function storesEvents<Made>(event: (given: StoresEvent) => Made): Made[] {
  const of = (given: StoresEvent) => event({ module: 'fms', severity: 'warning', ...given });
  return [
    of({
      code: 'stores.below_minimum',
      name: 'Items in your store are below their minimum',
      title: '{store} is below its minimum: {names}',
      body: 'Items below their minimum: {items}. Where the store has a supplier, a draft of the indent waits for you.',
    }),
    of({
      code: 'stores.transit_late',
      name: 'A transfer has been in transit too long',
      title: '{transfer} has been in transit for {days} days',
      body: 'The transfer from {from} to {to} has not been received in full. Receive it, or enter what happened to the rest.',
    }),
    of({
      code: 'stores.batches_expire',
      name: 'Batches in your store expire soon',
      title: 'Batches at {store} expire soon: {batches}',
      body: 'The first is {first}, on {day}. Use them first or send them where they are needed.',
    }),
    of({
      code: 'stores.issue_open',
      name: 'You have not acknowledged an issue',
      title: '{issue} is waiting for your signature',
      body: 'The parts were handed over on {day}. Acknowledge the issue, or report what is wrong with it.',
    }),
    of({
      code: 'stores.request_waits',
      name: 'A material request is waiting for your approval',
      title: '{request} ({priority}) is waiting for {step}',
      body: 'It has waited for {hours} hours. Decide it, or put it on hold with the reason.',
    }),
    of({
      code: 'stores.request_held',
      name: 'Your material request is on hold',
      title: '{request} is on hold: {reason}',
      body: 'The request goes on when it is resumed. Until then its clock stands still.',
    }),
    of({
      code: 'stores.transfer_dispatched',
      name: 'A transfer to your store or kit has left',
      severity: 'success',
      title: '{transfer} from {from} is on its way to {to}',
      body: 'It is expected on {day}. Receive it when it arrives.',
    }),
    of({
      code: 'stores.part_ready',
      name: 'Parts for you are ready for collection',
      severity: 'success',
      channels: { inApp: true, mail: false, push: true },
      title: '{request} is ready at {store}: {parts}',
      body: 'The parts are reserved for you. Collect them before the reservation ends.',
    }),
    of({
      code: 'stores.reservation_ends',
      name: 'Reserved parts wait for the last day',
      title: 'Parts of {request} are reserved at {store} until today',
      body: 'Collect them today: tomorrow they are free for others.',
    }),
    of({
      code: 'stores.reservation_expired',
      name: 'The reserved parts of your request are free again',
      title: 'The parts of {request} are no longer reserved',
      body: 'Nobody collected them in time. Collect them now if they are still there, or close the request.',
    }),
    of({
      code: 'stores.reservation_taken',
      name: 'The reserved parts of your request went to a more urgent one',
      title: 'The parts of {request} went to {other}',
      body: 'Reason: {reason}. Your parts are planned again: see the request for what is reserved, indented or bought.',
    }),
    of({
      code: 'stores.issue_disputed',
      name: 'A disputed issue is not corrected',
      title: '{issue} has been disputed for {hours} hours',
      body: '{technician}: {note}. Take back what is wrong, or reverse the issue.',
    }),
    of({
      code: 'stores.quotation_unanswered',
      name: 'A customer has not answered a quotation of parts',
      title: '{customer} has not answered {quotation} for {days} days',
      body: 'It comes to {total} and is valid until {day}. Ask the customer, or revise it.',
    }),
    of({
      code: 'stores.loan_overdue',
      name: 'A lent part is overdue',
      title: '{item} of {request} should have been returned on {day}',
      body: 'It was lent for lift {lift}. Fetch it, or charge it to the customer from the request.',
    }),
    of({
      code: 'stores.exchange_withdrawn',
      name: 'The credit for an old card was withdrawn',
      title: 'The credit of {amount} on {order} was withdrawn',
      body: '{customer} did not hand over the old cards by {day}. The bill is due in full.',
    }),
    of({
      code: 'stores.leaver_holds_parts',
      name: 'Somebody who leaves still holds parts',
      title: '{person} {has} and still holds parts',
      body: 'Items in the kit: {items}. Old parts to return: {dues}. Have them handed back before the last working day.',
    }),
    of({
      code: 'stores.month_open',
      name: 'A stock month is still open',
      title: 'The stock month that ended on {day} is still open',
      body: 'Close it, so that nothing more is posted in it.',
    }),
  ];
}
