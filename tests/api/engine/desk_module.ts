import type { Fill, Module } from '../../../src/server/engine/modules.ts';

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

/** A service desk: what the types in `desk` name. */
const desk: Module = { name: 'desk', fills: { grade, rate } };
export default desk;
