import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { quoted } from '../../db/names.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { preparedStatement } from '../../db/sql_text.ts';

export interface SavedView {
  id: number;
  name: string;
  shared: boolean;
  state: Record<string, unknown>;
  mine: boolean;
}

const table = (session: Session) => `${quoted(session.tenant.schema)}.saved_view`;

/** The views of a list: one's own and shared ones. */
export function savedViews(session: Session, screen: Screen): Promise<SavedView[]> {
  return session.tenant.db.query<SavedView>(
    preparedStatement(
      `select id, name, shared, state, user_id = $2 as mine from ${table(session)} where record_type = $1 and (user_id = $2 or shared) order by lower(name), id limit 100`,
      [screen.name, session.userId],
    ),
  );
}

function checked(input: Record<string, unknown>): { name: string; shared: boolean; state: string } {
  const name = typeof input.name === 'string' ? input.name.trim() : '';
  if (name === '' || name.length > 60)
    throw new AppError(422, 'invalid', 'Name the view, in at most 60 characters.', { field: 'name' });
  const state = JSON.stringify(input.state ?? {});
  if (state.length > 20_000) throw new AppError(413, 'too_large', 'This view is too large to save.');
  return { name, shared: input.shared === true, state };
}

/** Saves a view under a new name, or changes one's own. */
export async function saveView(
  session: Session,
  screen: Screen,
  id: number | null,
  input: Record<string, unknown>,
): Promise<SavedView> {
  const { name, shared, state } = checked(input);
  const values = [screen.name, session.userId, name, shared, state];
  const text =
    id === null
      ? `insert into ${table(session)} (record_type, user_id, name, shared, state) values ($1, $2, $3, $4, $5::jsonb) returning id, name, shared, state, true as mine`
      : `update ${table(session)} set name = $3, shared = $4, state = $5::jsonb where record_type = $1 and user_id = $2 and id = $6 returning id, name, shared, state, true as mine`;
  const [row] = await session.tenant.db
    .query<SavedView>(preparedStatement(text, id === null ? values : [...values, id]))
    .catch((error: unknown) => {
      if ((error as { code?: string }).code === '23505')
        throw new AppError(409, 'duplicate', `You have a view named ${name} already.`, { field: 'name' });
      throw error;
    });
  if (!row) throw notFound();
  return row;
}

export async function removeView(session: Session, screen: Screen, id: number): Promise<void> {
  const rows = await session.tenant.db.query(
    preparedStatement(
      `delete from ${table(session)} where record_type = $1 and user_id = $2 and id = $3 returning id`,
      [screen.name, session.userId, id],
    ),
  );
  if (rows.length === 0) throw notFound();
}
