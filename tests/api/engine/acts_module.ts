import type { Module } from '../../../src/server/engine/modules.ts';

/** What tests watch of the functions below. */
export const watched: { attempts: number; stamps: string[]; seen: (string | null)[] } = {
  attempts: 0,
  stamps: [],
  seen: [],
};

/** Functions of a made-up ledger. */
const modules: Module[] = [
  {
    name: 'test_acts',
    emits: { booked: { type: 'object', required: ['amount'], properties: { amount: {} } } },
    guards: {
      positive: {
        args: { type: 'object', properties: { value: { type: 'string', 'x-expr': true } } },
        check: ({ args, record }) =>
          Promise.resolve(
            Number(args.value) > 0 && record.id !== 0 ? [] : [{ field: 'lines', message: 'Nothing to book.' }],
          ),
      },
    },
    effects: {
      book: {
        args: { type: 'object', required: ['amount'], properties: { amount: { type: 'string', 'x-expr': true } } },
        async apply({ unit, args, record }) {
          watched.stamps.push(await unit.stamp(), await unit.stamp());
          const row = await unit.create('act_ledger', { bill: record.id, amount: String(args.amount) });
          return { id: row.id };
        },
        async reverse({ unit }, result) {
          const { id } = result as { id: number };
          const row = await unit.read('act_ledger', id, { lock: true });
          if (row.settled === true) unit.refuse([{ field: '', message: 'It is settled already.' }], 409);
          await unit.remove('act_ledger', id);
        },
      },
      number_known: {
        late: true,
        async apply({ unit, record }) {
          watched.seen.push(record.bill_no as string | null);
          await unit.update('act_bill', record.id, { said: record.bill_no });
        },
      },
      /** Finds out in the midst of it that it needs the first account. */
      needs_first: {
        async apply({ unit, record }) {
          watched.attempts++;
          const [line] = record.lines as { account_id: number }[];
          await unit.read('act_account', line!.account_id, { lock: true });
        },
      },
      looks: {
        args: { type: 'object' },
        async apply({ unit, record }) {
          await unit.read('act_account', Number(record.account_id));
        },
      },
      elevates: {
        async apply({ unit, record }) {
          await unit.elevated().read('act_account', Number(record.account_id));
        },
      },
    },
    on: {
      'test_acts.booked': {
        async run({ event, unit }) {
          await unit.create('act_ledger', { bill: event.of!.id, amount: String(event.payload.amount), settled: true });
        },
      },
    },
  },
];
export default modules;
