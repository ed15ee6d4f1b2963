import { defineHooks } from '../../engine/records/hooks.ts';
import { timeZoneErrors } from '../../services/clock/zones.ts';

/** Working hours are those of a time zone that exists. */
export default defineHooks({ check: (_session, record) => timeZoneErrors(record) });
