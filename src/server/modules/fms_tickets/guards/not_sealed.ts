import { existingTables } from '../../../db/existing_tables.ts';
import type { Guard } from '../../../engine/modules.ts';

/** A lift that the authority has sealed after an incident stays out of service. */
export const notSealed: Guard = {
  async check({ unit, record }) {
    const { db, schema } = unit.session.tenant;
    if (!(await existingTables(db, schema)).has('incident')) return [];
    const [sealed] = await unit.query<{ no: string }>(
      `select coalesce(incident_no, 'an incident') as no from {incident} where lift_id = $1 and active and lift_sealed and status <> 'closed' order by id limit 1`,
      [record.id],
    );
    return sealed
      ? [
          {
            field: 'status',
            message: `The authority has sealed this lift (${sealed.no}). Close the incident, or enter there that the seal is off.`,
          },
        ]
      : [];
  },
};
