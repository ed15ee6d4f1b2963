import type { Job } from '../../../engine/modules.ts';
import { forgetOldRuns } from '../../../engine/jobs/job_runs.ts';
import { OFFLINE_ADDRESS, OFFLINE_KEY_DAYS } from '../../../engine/offline/offline_acts.ts';
import { WRITE_KEY_DAYS } from '../../../engine/records/write_keys.ts';
import { changeOldRows } from '../../../platform/upkeep/old_rows.ts';

const ATTEMPTS_DAYS = 180;
const OUTBOX_DAYS = 90;
const READ_DAYS = 180;
const UNREAD_DAYS = 365;
const EVENT_DAYS = 30;
const RUN_DAYS = 400;

/** Removes old messages, events and logs. */
export const retention: Job = {
  async run({ actor: { tenant } }) {
    const remove = (statement: string, days: number) => changeOldRows(tenant, `delete from ${statement}`, days);
    const [tries, sent, read, unread] = await Promise.all([
      remove('{s}.login_attempt where at < now() - make_interval(days => $1)', ATTEMPTS_DAYS),
      remove(
        `{s}.outbox where state in ('sent','dead','suppressed') and created_at < now() - make_interval(days => $1)`,
        OUTBOX_DAYS,
      ),
      remove(
        '{s}.notification where read_at is not null and created_at < now() - make_interval(days => $1)',
        READ_DAYS,
      ),
      remove('{s}.notification where created_at < now() - make_interval(days => $1)', UNREAD_DAYS),
      remove(
        `{s}.write_key where at < now() - make_interval(days => case when address = '${OFFLINE_ADDRESS}' then ${OFFLINE_KEY_DAYS} else $1 end)`,
        WRITE_KEY_DAYS,
      ),
      remove(
        `{s}.domain_event e where at < now() - make_interval(days => $1)
           and not exists (select 1 from {s}.event_delivery d where d.event_id = e.id and d.state in ('waiting','parked'))`,
        EVENT_DAYS,
      ),
      forgetOldRuns(tenant, RUN_DAYS),
    ]);
    return `${tries} sign-in attempts, ${sent} sent messages and ${read + unread} notifications removed.`;
  },
};
