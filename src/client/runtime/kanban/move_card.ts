import { stepsFrom } from '../../../descriptor/steps.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import { ApiError, api } from '../../api/http.ts';

/** What came of moving a card: done, fields that must be filled in first, or why not. */
export type Moved = { done: WireRecord } | { asks: { field: Field; message: string }[] } | { refused: string };

/** Values that may follow a card's; without steps all others. `decides`: whether the person takes steps that approve. */
export function nextValues({ flow, kanban, fields }: Screen, from: unknown, decides = true): string[] {
  const field = kanban?.field;
  const all = fields.find(({ name }) => name === field)?.options?.map(({ value }) => String(value)) ?? [];
  const next = flow && flow.field === field ? stepsFrom(flow, { [flow.field]: from }) : null;
  const others = flow && next && !decides ? (flow.approve?.moves[String(from)] ?? []) : [];
  return all.filter((value) => value !== from && (next?.includes(value) ?? true) && !others.includes(value));
}

/** Whether nothing follows a value. */
export function isLast({ flow, kanban }: Screen, value: string): boolean {
  return flow !== undefined && flow.field === kanban?.field && (flow.moves[value] ?? []).length === 0;
}

/** Moves a record by its version. What the server misses in it is asked for, as far as it is fields of the record. */
export async function moveCard(
  screen: Screen,
  card: WireRecord,
  to: string,
  more: Record<string, unknown> = {},
): Promise<Moved> {
  const { field } = screen.kanban!;
  try {
    const { data } = await api.put<{ data: WireRecord }>(
      `/tapi/${screen.name}/${card.id}`,
      { version: card.version, [field]: to, ...more },
      { quiet: true },
    );
    return { done: data };
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    if (thrown.code === 'stale_version')
      return {
        refused: `${typeof thrown.extra.changed_by === 'string' ? thrown.extra.changed_by : 'Somebody'} has changed this meanwhile. Look at it as it is now, and move it again.`,
      };
    const asks = thrown.details.flatMap(({ field: name, message }) => {
      const wanted = screen.fields.find((one) => one.name === name);
      return wanted && wanted.name !== field && !wanted.readOnly && !wanted.rows ? [{ field: wanted, message }] : [];
    });
    return thrown.status === 422 && asks.length > 0 && asks.length === thrown.details.length
      ? { asks }
      : { refused: thrown.message };
  }
}
