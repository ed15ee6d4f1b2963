import pg from 'pg';

/** Ends the connection of the first transaction that begins before its statement of this number is sent. */
export function cutOffAt(statement: number): { sent: () => number; restore: () => void } {
  const proto = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown };
  const { query } = proto;
  const cut: unknown[] = [];
  let sent = 0;
  proto.query = function (this: { connection: { stream: { destroy(): void } } }, ...given: unknown[]) {
    const [first] = given;
    const text = typeof first === 'string' ? first : (first as { text?: string }).text;
    if (cut.length === 0 && text === 'begin') cut.push(this);
    if (cut[0] === this && ++sent === statement) this.connection.stream.destroy();
    return query.apply(this, given);
  };
  return { sent: () => sent, restore: () => (proto.query = query) };
}
