import type { Database } from '../../db/database.ts';

/** The record type behind a screen of the platform's catalogue; null = there is none. */
export async function descriptorOfScreen(main: Database, screenId: number): Promise<string | null> {
  const [row] = await main.query<{ descriptor: string | null }>('select descriptor from public.screen where id = $1', [
    screenId,
  ]);
  return row?.descriptor ?? null;
}
