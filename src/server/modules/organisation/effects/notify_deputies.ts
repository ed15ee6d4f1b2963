import type { Effect } from '../../../engine/modules.ts';

/**
 * Tells the delegator, the deputy and the delegator's manager that a delegation has started or ended, except the person
 * who ended it.
 */
export const notifyDeputies: Effect = {
  args: {
    type: 'object',
    required: ['event'],
    additionalProperties: false,
    properties: { event: { enum: ['delegation.started', 'delegation.ended'] } },
  },
  async apply({ unit, args: { event }, record, before }) {
    // A delegation that never started needs no message about its end.
    if (event === 'delegation.ended' && before?.state !== 'active') return;
    const [delegation] = await unit.query<{ from_name: string; to_name: string; until: string; people: number[] }>(
      `select f.name as from_name, t.name as to_name, to_char(d.to_date, 'DD-MM-YYYY') as until,
         array(select u.id from {users} u where u.employee_id in (f.id, t.id, f.reporting_to_id)) as people
       from {delegation} d join {employee} f on f.id = d.from_employee_id join {employee} t on t.id = d.to_employee_id where d.id = $1`,
      [record.id],
    );
    const byMail = record.notify !== false;
    await unit.notify({
      event: String(event),
      to: delegation!.people.filter((id) => id !== unit.session.userId),
      entityId: unit.session.entityId,
      values: {
        from: delegation!.from_name,
        to: delegation!.to_name,
        date: delegation!.until,
        reason: typeof record.reason === 'string' ? record.reason : '',
      },
      link: `/Delegation/view/${record.id}`,
      record: { type: 'delegation', id: record.id },
      channels: { inApp: true, mail: byMail, push: byMail },
    });
  },
};
