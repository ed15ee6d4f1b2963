import type { Screen } from '../../../descriptor/types.ts';
import { tableName } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import { DemoPerson, letPeopleWork } from './demo_people.ts';

/** The company with field staff. */
const COMPANY = 'ALP';

/** Technicians in the order in which they take leave: the one with an account of the demo first. */
async function technicians({ db, schema }: Tenant, today: string): Promise<number[]> {
  const table = (type: string) => tableName(schema, type);
  const rows = await db.query<{ id: number }>(
    `select e.id from ${table('team__members')} m join ${table('employee')} e on e.id = m.employee_id and e.active and e.status = 'active'
     join ${table('entity')} c on c.id = e.entity_id and c.code = $1
     left join ${table('users')} u on u.employee_id = e.id
     group by e.id
     order by bool_or(u.username = 'technician') desc nulls last,
       exists (select 1 from ${table('scheduled_ticket')} v where v.technician_id = e.id and v.planned_on = $2), e.id limit 6`,
    [COMPANY, today],
  );
  return rows.map(({ id }) => id);
}

/** Somebody who reports to the manager with an account of the demo: their request waits for this manager. */
async function reportOfManager({ db, schema }: Tenant): Promise<number | undefined> {
  const table = (type: string) => tableName(schema, type);
  const [row] = await db.query<{ id: number }>(
    `select e.id from ${table('employee')} e join ${table('users')} u on u.employee_id = e.reporting_to_id and u.username = 'manager'
     where e.active and e.status = 'active' order by e.id limit 1`,
  );
  return row?.id;
}

/** Adds leave of field staff in all states: somebody is away today, and a request waits for the manager. */
export async function addLeaveAtWork(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  today: string,
): Promise<void> {
  if (!screens.has('leave') || !screens.has('scheduled_ticket')) return;
  const [own, ...others] = await technicians(tenant, today);
  if (own === undefined) return;
  const report = await reportOfManager(tenant);
  await letPeopleWork(
    tenant,
    screens,
    today,
    {
      company: COMPANY,
      folders: ['organisation'],
      types: { employee: { by: 'empno', ofCompany: true } },
      isDone: 'leave',
    },
    async (person) => {
      const leave = async (
        member: number | undefined,
        daysAgo: number,
        [kind, from, to, remark]: [string, number, number, string],
        decision?: string,
        asked = {},
      ) => {
        if (member === undefined) return;
        const asks = new DemoPerson(...person(0, daysAgo));
        const made = await asks.add('leave', {
          employee_id: member,
          kind,
          from_date: asks.day(from),
          to_date: asks.day(to),
          part: 'day',
          remark,
        });
        if (decision) await new DemoPerson(...person(1, daysAgo - 1)).step(made, 'leave', decision, asked);
      };
      await leave(own, 45, ['earned', -38, -35, 'Family function in Madurai'], 'approve');
      await leave(own, 1, ['casual', 9, 10, 'School admission of my daughter']);
      await leave(report, 1, ['casual', 4, 5, 'Wedding of my sister']);
      await leave(others[0], 2, ['sick', -1, 1, 'Fever; certificate follows'], 'approve');
      await leave(others[1], 12, ['earned', 20, 27, 'Pongal at home'], 'approve');
      await leave(others[2], 20, ['casual', -12, -12, 'Bank work'], 'refuse', {
        reason: 'Two others of the team are away on this day.',
      });
      await leave(others[3], 6, ['compensatory', 5, 5, 'For the Sunday call'], 'withdraw');
    },
  );
}
