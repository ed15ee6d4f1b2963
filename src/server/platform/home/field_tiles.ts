import type { HomeTile } from '../../../domain/fms/home_measures.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { tableName } from '../../db/names.ts';

/** The types that say what stands on the home page of field service. */
export const TILES = 'landing_display_mstr';
export const PHONE_MENU = 'menu_access_mstr';
export const TEAM = 'team';

/** A tile as it is set up. */
export interface SetUpTile {
  code: string;
  title: string;
  icon: string | null;
  measure: string;
  target_route: string;
  warn_when: string | null;
  alarm_when: string | null;
  show_on: HomeTile['show_on'] | null;
}

/** The tiles for the roles of a person, in their order; administrators have all. */
export function tilesOf({ tenant: { db, schema }, roleIds, rights }: LiveSession): Promise<SetUpTile[]> {
  const mine = `(coalesce(cardinality(role_ids), 0) = 0 or role_ids && $1::bigint[])`;
  return db.query<SetUpTile>(
    `select code, title, icon, measure, target_route, warn_when, alarm_when, show_on from ${tableName(schema, TILES)}
     where active and ${rights.isAdmin ? '$1::bigint[] is not null' : mine} order by seq, id`,
    [roleIds],
  );
}

/** The entries of the phone's menu for the roles of a person, in their order. */
export function phoneMenuOf({
  tenant: { db, schema },
  roleIds,
}: LiveSession): Promise<{ code: string; quick: boolean }[]> {
  return db.query<{ code: string; quick: boolean }>(
    `select e.menu_code as code, coalesce(e.quick_action, false) as quick from ${tableName(schema, PHONE_MENU)} m
     join ${tableName(schema, `${PHONE_MENU}__entries`)} e on e.parent_id = m.id
     where m.active and m.role_id = any($1::bigint[]) order by e.seq nulls last, e.id`,
    [roleIds],
  );
}

/** Whether a person is in a team on a day, YYYY-MM-DD. */
export async function inTeam({ tenant: { db, schema }, employeeId }: LiveSession, day: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 from ${tableName(schema, `${TEAM}__members`)} m join ${tableName(schema, TEAM)} t on t.id = m.parent_id and t.active
     where m.employee_id = $1 and m."from" <= $2::date and coalesce(m."to", 'infinity') >= $2::date limit 1`,
    [employeeId, day],
  );
  return rows.length > 0;
}
