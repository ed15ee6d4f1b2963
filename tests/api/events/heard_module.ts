import type { Module, Subscriber } from '../../../src/server/engine/modules.ts';

/** What a test has the subscribers do beside writing down what they hear. */
export const wish: { fails: (name: string) => boolean } = { fails: () => false };

const hears: Subscriber = {
  async run({ event, unit, delivery }) {
    await unit.create('heard', {
      event: event.name,
      delivery,
      record: event.of?.id ?? null,
      fields: JSON.stringify(event.payload),
    });
    if (wish.fails(event.name)) throw new Error('This one fails.');
  },
};

/** Subscribers of tests: they write down what they hear. */
const modules: Module[] = [
  {
    name: 'test_heard',
    emits: { said: { type: 'object', required: ['word'], properties: { word: { type: 'string' } } } },
    effects: {
      say: {
        apply({ unit, record }) {
          unit.emit('test_heard.said', { word: 'posted' }, { type: 'spoken', id: record.id });
          unit.enqueue('test_job', { record: record.id });
          return Promise.resolve();
        },
      },
    },
    on: Object.fromEntries(
      ['spoken.created', 'spoken.changed', 'spoken.removed', 'spoken.post', 'test_heard.said'].map((name) => [
        name,
        hears,
      ]),
    ),
  },
  {
    name: 'test_told',
    emits: { said: { type: 'object', required: ['word'], properties: { word: { type: 'string' } } } },
    effects: {
      tell: {
        async apply({ unit, record }) {
          const { id, name } = record;
          unit.emit('test_told.said', { word: 'posted' }, { type: 'told', id });
          unit.enqueue('test_job', { told: id });
          await unit.notify({
            event: 'approval.assigned',
            to: [Number(record.reader)],
            values: { record: String(name) },
            record: { type: 'told', id },
          });
          await unit.post({
            address: 'buyer@example.in',
            subject: String(name),
            text: 'Posted.',
            prints: [],
            purpose: 'notification',
          });
        },
      },
    },
    on: { 'test_told.said': hears },
  },
  {
    name: 'test_circle',
    on: {
      'circling.changed': {
        async run({ event, unit }) {
          const { id } = event.of!;
          const { note } = await unit.read('circling', id, { lock: true });
          await unit.update('circling', id, { note: `${String(note)}.` });
        },
      },
    },
  },
];
export default modules;
