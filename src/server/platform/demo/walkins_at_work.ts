import type { Screen } from '../../../descriptor/types.ts';
import { tableName } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import { DemoPerson, letPeopleWork } from './demo_people.ts';
import { Random } from './random.ts';

/** The company with shops. */
const COMPANY = 'ARP';
/** The branches that have a setting of salesmen. */
const BRANCHES = ['MUM', 'TNG', 'PUN'];
const DAYS = 45;
const DAY_MS = 86_400_000;
/** So many days later everybody has been called back. */
const CALLED_BACK = 10;

const VISITORS = [
  'Lakshmi Narayanan',
  'Farhan Qureshi',
  'Deepa Krishnan',
  'George Kurian',
  'Sunita Deshmukh',
  'Harpreet Kaur',
  'Anand Rao',
  'Meera Iyer',
  'Joseph D’Souza',
  'Kavitha Sundaram',
];
const PURPOSES = ['purchase', 'purchase', 'enquiry', 'purchase', 'exchange', 'enquiry', 'service'];

/** At this hour (UTC) before the moment so many days ago; in India it is the afternoon. */
function cameAt(daysAgo: number, hour: number): string {
  const last = new Date(Date.now() - daysAgo * DAY_MS);
  const came = new Date(last);
  came.setUTCHours(hour, 30, 0, 0);
  return new Date(came > last ? came.getTime() - DAY_MS : came).toISOString();
}

/** Adds weeks of visitors of the shops, in all states: somebody is being served, others are to be called back. */
export async function addWalkinsAtWork(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  today: string,
): Promise<void> {
  if (!screens.has('walkin')) return;
  const table = (type: string) => tableName(tenant.schema, type);
  const staff = await tenant.db.query<{ id: number; branch: number }>(
    `select e.id, e.branch_id as branch from ${table('employee')} e join ${table('branch')} b on b.id = e.branch_id
     join ${table('entity')} c on c.id = e.entity_id join ${table('designation')} d on d.id = e.designation_id
     where c.code = $1 and b.code = any($2) and d.code in ('SAS', 'STM') and e.active and e.status = 'active' order by d.code desc, e.id`,
    [COMPANY, BRANCHES],
  );
  const reasons = new Map(
    (
      await tenant.db.query<{ code: string; id: number }>(
        `select code, id from ${table('reason')} where 'walkin_lost' = any(used_for) order by code`,
      )
    ).map(({ code, id }) => [code, id]),
  );
  const ages = await tenant.db.query<{ id: number }>(`select id from ${table('walkin_age_group')} order by from_age`);
  if (staff.length === 0 || reasons.size === 0) return;
  const random = new Random(20261);

  await letPeopleWork(
    tenant,
    screens,
    today,
    { company: COMPANY, folders: ['visits'], types: {}, isDone: 'walkin' },
    async (person) => {
      for (let daysAgo = DAYS; daysAgo >= 0; daysAgo--)
        for (let visitors = random.int(1, 3); visitors > 0; visitors--) {
          const desk = new DemoPerson(...person(0, daysAgo));
          const { id: salesman, branch } = random.pick(staff);
          const purpose = random.pick(PURPOSES);
          const visit = await desk.act((unit) =>
            unit.create('walkin', {
              branch_id: branch,
              walkin_at: cameAt(daysAgo, random.int(7, 12)),
              name: random.pick(VISITORS),
              persons: random.int(1, 4),
              age_group_id: ages.length > 0 ? random.pick(ages).id : null,
              purpose,
              salesman_id: salesman,
              budget_from: '20000.00',
              budget_to: '60000.00',
            }),
          );
          const chance = random.int(0, 99);
          // Today's visitors are still there, or ask to be called.
          if (daysAgo === 0 && chance < 60) continue;
          if (chance < 30)
            await desk.step(visit, 'walkin', 'purchase', {
              bills: [{ bill_no: `R${visit.id}`, amount: `${random.int(8, 90) * 1000}.00` }],
            });
          else if (chance < 40) await desk.step(visit, 'walkin', 'order');
          else if (chance < 55 && daysAgo < CALLED_BACK)
            await desk.step(visit, 'walkin', 'follow', { follow_up_on: desk.day(random.int(1, 6) - daysAgo) });
          else await desk.step(visit, 'walkin', 'leave', { reason: random.pick([...reasons.values()]) });
        }
    },
  );
}
