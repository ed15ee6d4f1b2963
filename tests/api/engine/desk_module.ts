import type { Action, Effect, Fill, Module, Subscriber, Target } from '../../../src/server/engine/modules.ts';

type Row = Record<string, unknown>;

/** How often a fill ran. */
export const ran = { grade: 0, rate: 0 };

const grade: Fill = {
  async run({ unit, record }) {
    ran.grade++;
    const { service_id: id, priority } = record;
    const service = typeof id === 'number' ? await unit.read('desk_service', id) : null;
    return { grade: `${String(priority)}/${service ? String(service.name) : 'none'}` };
  },
};

const rate: Fill = {
  async run({ unit, record }) {
    ran.rate++;
    const rows = (record.lines ?? []) as Row[];
    return {
      lines: await Promise.all(
        rows.map(async ({ service_id: id }) => ({
          rate: typeof id === 'number' ? (await unit.read('desk_service', id)).rate : null,
        })),
      ),
    };
  },
};

const escalate: Action = {
  async run({ unit, input, record, isForm }) {
    if (input.why === 'no') unit.refuse([{ field: 'why', message: 'That is no reason.' }]);
    // What a form makes of it beside its own values is not kept.
    await unit.create('desk_service', { name: `${String(record!.subject)} ${isForm ? 'typed' : 'stored'}` });
    return { set: { priority: 'p1', note: input.why, service_id: input.help_id }, done: 'It is urgent now.' };
  },
};

const changeRates: Action = {
  run: ({ record, rows, input }) =>
    Promise.resolve({
      rows: (record!.lines as Row[]).map((row, at) =>
        rows.length === 0 || rows.includes(at)
          ? { ...row, rate: (Number(row.rate) * (1 + Number(input.percent) / 100)).toFixed(2) }
          : row,
      ),
    }),
};

const noteAll: Action = {
  run: ({ records }) => Promise.resolve({ set: { note: `One of ${records.length}` } }),
};

const clearNotes: Action = {
  async run({ unit }) {
    await unit.query('update {desk_ticket} set note = null');
    return { done: 'All are cleared.' };
  },
};

const shut: Effect = {
  async apply({ unit, record }) {
    await unit.takeAuto('desk_ticket', Number(record.note), 'shut');
  },
};

const minutes: Target = {
  run: ({ record }) => Promise.resolve({ minutes: record.priority === 'p1' ? 240 : 480 }),
};

/** What was said of clocks, by record. */
export const said: string[] = [];

const hears: Subscriber = {
  run({ event }) {
    said.push(`${event.of!.id} ${event.name}`);
    return Promise.resolve();
  },
};

/** A service desk: what the types in `desk` name. */
const desk: Module = {
  name: 'desk',
  fills: { grade, rate },
  actions: { escalate, change_rates: changeRates, note_all: noteAll, clear_notes: clearNotes },
  effects: { shut },
  targets: { minutes },
  on: { 'desk_ticket.restore_soon': hears, 'desk_ticket.restore_late': hears, 'desk_ticket.restore_very_late': hears },
};
export default desk;
