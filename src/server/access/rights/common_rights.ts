import type { PageType, Screen } from '../../../descriptor/types.ts';
import { announceRights } from '../../db/announce.ts';
import type { Session } from '../context.ts';
import type { Queryable } from '../../db/database.ts';
import type { BespokePage } from './pages.ts';
import { AppError, invalid, notFound } from '../../db/errors.ts';
import type { CompiledRights } from './rights.ts';
import { PAGE_TYPES } from './rights.ts';
import type { ScreenOfMatrix } from './role_rights.ts';
import { MODULE_NAMES } from '../../../domain/modules.ts';
import { pageTypesOf } from './role_rights.ts';

/** The code of the group with the platform's own screens. */
const ADMIN_GROUP = 'ADMIN';

/** A kind of platform administrator. */
export interface UserTypeOfMatrix {
  id: number;
  code: string;
  name: string;
  version: number;
  is_super: boolean;
  /** Common users of this type who can sign in. */
  users: number;
}

export type CommonRight = { screen_code: string } & Record<PageType, boolean>;

/** All screens of the administration host by code: those of descriptors, and coded pages. */
export function commonCatalogue(screens: Iterable<Screen>, pages: Iterable<[string, BespokePage]>): ScreenOfMatrix[] {
  const byCode = new Map<string, ScreenOfMatrix>();
  const add = (code: string, name: string, route: string, group: string, has: PageType[]) => {
    const full = code.startsWith('COMMON_') ? code : `COMMON_${code}`;
    const known = byCode.get(full);
    if (!known) byCode.set(full, { screen_code: full, name, route, modules: [group], products: [], has });
    else {
      known.has = PAGE_TYPES.filter((page) => known.has.includes(page) || has.includes(page));
      if (!known.name.split(', ').includes(name)) known.name = `${known.name}, ${name}`;
    }
  };
  for (const screen of [...screens].sort((a, b) => Number(a.menu.hidden) - Number(b.menu.hidden))) {
    if (screen.scope !== 'platform' && !screen.access.common) continue;
    for (const code of screen.access.screens)
      add(
        code,
        screen.plural,
        screen.routes.landing,
        screen.scope === 'platform' ? ADMIN_GROUP : (screen.access.modules[0] ?? ADMIN_GROUP),
        pageTypesOf(screen),
      );
  }
  for (const [route, page] of pages) {
    if (page.common !== true) continue;
    for (const code of page.screen ?? [])
      if (code.startsWith('COMMON_'))
        add(code, page.by.replace(/^[^:]*:\s*/, ''), route, ADMIN_GROUP, [page.page ?? 'landing']);
  }
  return [...byCode.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** Name of the group a screen stands in. */
export const groupName = (code: string): string =>
  code === ADMIN_GROUP ? 'Administration' : (MODULE_NAMES[code] ?? code);

/** All active user types, the one with all rights first. */
export function userTypes(on: Queryable): Promise<UserTypeOfMatrix[]> {
  return on.query(
    `select t.id, t.code, t.name, t.version, coalesce(t.is_super, false) as is_super, (select count(*)::int from public.common_user u where u.user_type_id = t.id and u.active) as users
     from public.user_type t where t.active order by coalesce(t.is_super, false) desc, t.name`,
  );
}

/** A user type with what is ticked for it. @throws AppError 404 */
export async function readUserTypeRights(
  on: Queryable,
  typeId: number,
): Promise<{ type: UserTypeOfMatrix; rights: CommonRight[] }> {
  const type = (await userTypes(on)).find(({ id }) => id === typeId);
  if (!type) throw notFound();
  return {
    type,
    rights: await on.query<CommonRight>(
      `select screen_code, ${PAGE_TYPES.join(', ')} from public.common_right where user_type_id = $1 order by screen_code`,
      [typeId],
    ),
  };
}

/** Ticks that have no effect; they never prevent saving. */
export function commonWarnings(rights: CommonRight[], catalogue: ReadonlyMap<string, ScreenOfMatrix>): string[] {
  return rights.flatMap((right) => {
    const screen = catalogue.get(right.screen_code);
    return screen?.has.includes('landing') && !right.landing && PAGE_TYPES.some((page) => right[page])
      ? [`${screen.name}: without "List" it cannot be reached by the menu.`]
      : [];
  });
}

/** The request of a save: only changed screens are required. */
export interface CommonRightsChange {
  version: number;
  screens?: CommonRight[];
}

/**
 * Saves the rights of a user type, as one change.
 * @throws AppError 403 elevation, 404, 409 stale_version with who changed it, 422
 */
export async function saveCommonRights(
  session: Session,
  typeId: number,
  change: CommonRightsChange,
  screens: ScreenOfMatrix[],
): Promise<{ version: number; users_affected: number; warnings: string[]; changes: number }> {
  const catalogue = new Map(screens.map((screen) => [screen.screen_code, screen]));
  const wanted = change.screens ?? [];
  const unknown = wanted.find(({ screen_code: code }) => !catalogue.has(code));
  if (unknown)
    throw invalid([
      { field: unknown.screen_code, message: `There is no screen ${unknown.screen_code} on the administration host.` },
    ]);
  return session.tenant.db.transaction(async (tx) => {
    await tx.query('select 1 from public.user_type where id = $1 for update', [typeId]);
    const { type, rights } = await readUserTypeRights(tx, typeId);
    if (type.is_super)
      throw invalid([
        {
          field: 'is_super',
          message: `${type.name} has full access, so there is nothing to tick. First clear "Full access" in the user type.`,
        },
      ]);
    if (type.version !== change.version) throw await stale(tx, type);
    const before = new Map(rights.map((right) => [right.screen_code, right]));
    const changed = wanted.flatMap((right) =>
      PAGE_TYPES.filter(
        (page) =>
          catalogue.get(right.screen_code)!.has.includes(page) &&
          right[page] !== (before.get(right.screen_code)?.[page] ?? false),
      ).map((page) => ({ code: right.screen_code, page, value: right[page] })),
    );
    await refuseElevation(tx, session, typeId, changed, catalogue);
    const after = merge(rights, changed);
    const answer = { users_affected: type.users, warnings: commonWarnings(after, catalogue), changes: changed.length };
    if (changed.length === 0) return { ...answer, version: type.version };
    await tx.query('delete from public.common_right where user_type_id = $1', [typeId]);
    await tx.query(
      `insert into public.common_right (user_type_id, screen_code, ${PAGE_TYPES.join(', ')})
       select $1, r.screen_code, ${PAGE_TYPES.map((page) => `r.${page}`).join(', ')} from jsonb_to_recordset($2::jsonb) as r(screen_code text, ${PAGE_TYPES.map((page) => `${page} boolean`).join(', ')})`,
      [typeId, JSON.stringify(after)],
    );
    await announceRights(tx, 'public');
    const [row] = await tx.query<{ version: number }>(
      'update public.user_type set version = version + 1, updated_at = now(), updated_by = $2 where id = $1 returning version',
      [typeId, session.userId],
    );
    await tx.query(
      `insert into public.history (record_type, record_id, version, op, by, what, change) values ('user_type', $1, $2, 'U', $3, 'rights', $4)`,
      [
        typeId,
        row!.version,
        session.userId,
        JSON.stringify({ rights: [null, `${changed.length} ${changed.length === 1 ? 'change' : 'changes'}`] }),
      ],
    );
    return { ...answer, version: row!.version };
  });
}

interface Tick {
  code: string;
  page: PageType;
  value: boolean;
}

function merge(rights: CommonRight[], ticks: Tick[]): CommonRight[] {
  const all = new Map(rights.map((right) => [right.screen_code, { ...right }]));
  for (const { code, page, value } of ticks) {
    const right =
      all.get(code) ??
      ({ screen_code: code, ...Object.fromEntries(PAGE_TYPES.map((one) => [one, false])) } as CommonRight);
    right[page] = value;
    all.set(code, right);
  }
  return [...all.values()].filter((right) => PAGE_TYPES.some((page) => right[page]));
}

/** Nobody can raise their own rights: not of their own user type, and no rights that they lack. */
async function refuseElevation(
  tx: Queryable,
  session: Session,
  typeId: number,
  ticks: Tick[],
  catalogue: ReadonlyMap<string, ScreenOfMatrix>,
): Promise<void> {
  if (session.rights.isAdmin || ticks.length === 0) return;
  const [own] = await tx.query<{ user_type_id: number }>('select user_type_id from public.common_user where id = $1', [
    session.userId,
  ]);
  if (own?.user_type_id === typeId)
    throw new AppError(
      403,
      'elevation',
      'You have this user type yourself. Ask a platform administrator with all rights to change it.',
    );
  const lacking = ticks.find(
    ({ code, page, value }) => value && !(session.rights as CompiledRights).holds([code], page),
  );
  if (lacking)
    throw new AppError(
      403,
      'elevation',
      `You cannot give "${catalogue.get(lacking.code)?.name ?? lacking.code}" (${lacking.page}): you do not hold it yourself.`,
      { field: lacking.code },
    );
}

async function stale(tx: Queryable, type: UserTypeOfMatrix): Promise<AppError> {
  const [last] = await tx.query<{ name: string | null; at: string }>(
    `select u.name, h.at from public.history h left join public.common_user u on u.id = h.by where h.record_type = 'user_type' and h.record_id = $1 order by h.id desc limit 1`,
    [type.id],
  );
  return new AppError(409, 'stale_version', `${last?.name ?? 'Somebody'} changed this user type in the meantime.`, {
    extra: { changed_by: last?.name ?? null, changed_at: last?.at ?? null },
  });
}

/** Whether people of a user type have all rights. */
export async function isSuper(on: Queryable, typeId: number): Promise<boolean> {
  const [type] = await on.query<{ is_super: boolean }>(
    'select coalesce(is_super, false) as is_super from public.user_type where id = $1',
    [typeId],
  );
  return type?.is_super === true;
}
