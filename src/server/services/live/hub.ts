import type { FastifyReply } from 'fastify';
import type { Screen } from '../../../descriptor/types.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Bus } from './bus.ts';

/** Publishes changes of records to open browsers. Called after the change is committed. */
export interface RecordEvents {
  /** `op`: I, U, D, A, X as in the history. `entityId`: the record's company; null = none. */
  changed(tenant: Tenant, type: string, id: number, op: string, entityId: number | null): void;
}

type Changes = [type: string, id: number, op: string, entity: number | null][];

const HEARTBEAT_MS = 25_000;
const COALESCE_MS = 50;
/** A payload of NOTIFY stays under 8,000 bytes. */
const CHANGES_A_MESSAGE = 80;
/** For one type at one time, up to this many records are announced individually; beyond it, only the type (id 0). */
const ONE_BY_ONE = 50;
/** A browser that reads slower than this is disconnected; it opens the stream again and reloads. */
const UNREAD_BYTES = 256 * 1024;
const STREAMS_A_SESSION = 8;

/** A person whose browser has an open stream. */
export interface Viewer {
  sid: string;
  tenant: Tenant;
  userId: number;
  entityId: number | null;
  entityIds: number[];
  rights: { isAdmin: boolean; version: number; refuse(screen: Screen, page: 'landing'): unknown };
}

/** What a person may be notified of. */
export interface Sight<V extends Viewer> {
  /** Whether every row of a type in the viewer's company is visible. */
  wholeCompany(viewer: V, screen: Screen): boolean;
  /** Which of these records are visible. */
  ids(viewer: V, screen: Screen, ids: number[]): Promise<Set<number>>;
  /** A hash that changes whenever the screens, rights or known problems shown by the browser change. */
  stateOf(viewer: V): string;
}

interface Stream<V extends Viewer> {
  reply: FastifyReply;
  session: V;
  /** Reloads the session, in its company or another of the person's; rejects if it has ended. */
  renew: Renew<V>;
}

type Renew<V extends Viewer> = (entityId?: number) => Promise<V>;

export interface LiveHub<V extends Viewer> extends RecordEvents {
  /** Keeps the response open as an event stream, which begins with the state of this person's browser. */
  open(reply: FastifyReply, session: V, renew: Renew<V>): void;
  screensChanged(names: string[], problems: number): void;
  /** A client has changed how its screens look. */
  tenantScreensChanged(schema: string, names: string[]): void;
  /** Subscribes to changed types of a client, before any browser is notified; returns the unsubscribe function. */
  onRecords(listener: (schema: string, types: ReadonlySet<string>) => void): () => void;
  /** Open streams, for the metrics. */
  readonly size: number;
  close(): Promise<void>;
}

export function createLiveHub<V extends Viewer>(
  bus: Bus,
  screens: () => Map<string, Screen>,
  sight: Sight<V>,
  log: { warn(fields: object, message: string): void },
): LiveHub<V> {
  const streams = new Map<string, Set<Stream<V>>>();
  const listeners = new Set<(schema: string, types: ReadonlySet<string>) => void>();
  const pending = new Map<string, { tenant: Tenant; changes: Changes }>();
  let size = 0;
  let timer: NodeJS.Timeout | undefined;

  const all = function* (): Generator<Stream<V>> {
    for (const set of streams.values()) yield* set;
  };

  function send({ reply }: Stream<V>, event: string, data: object): void {
    write(reply, `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  function write(reply: FastifyReply, text: string): void {
    const { raw } = reply;
    if (raw.destroyed || raw.writableEnded) return;
    if (raw.writableLength > UNREAD_BYTES) raw.destroy();
    else raw.write(text);
  }

  function end(stream: Stream<V>): void {
    stream.reply.raw.end();
  }

  /**
   * The changes of one type in one company that a person may be notified of: no ids of records they cannot see. A list
   * that may have lost a record, by a change or a deletion that can no longer be checked, is only told the type.
   */
  async function heard(stream: Stream<V>, type: string, entity: number | null, changes: Changes): Promise<Changes> {
    const screen = screens().get(type);
    const own = stream.session;
    if (!screen || (entity !== null && !own.entityIds.includes(entity))) return [];
    const session = entity === null || entity === own.entityId ? own : await stream.renew(entity);
    if (session.rights.refuse(screen, 'landing') !== null) return [];
    const placed = entity !== null || screen.scope !== 'entity';
    if (placed && sight.wholeCompany(session, screen)) return changes;
    const asked = changes.filter(([, id, op]) => id !== 0 && op !== 'D').map(([, id]) => id);
    const seen = asked.length === 0 ? new Set<number>() : await sight.ids(session, screen, asked);
    const shown = changes.filter(([, id]) => id === 0 || seen.has(id));
    const lost = changes.find(([, id, op]) => id !== 0 && op !== 'I' && !seen.has(id));
    return lost && !shown.some(([, id]) => id === 0) ? [...shown, [type, 0, lost[2], null]] : shown;
  }

  function deliver(schema: string, changes: Changes): void {
    const types = new Set(changes.map(([type]) => type));
    for (const listener of listeners) listener(schema, types);
    const together = Map.groupBy(changes, ([type, , , entity]) => `${type} ${entity ?? ''}`);
    for (const stream of streams.get(schema) ?? [])
      for (const group of together.values()) {
        const [[type, , , entity]] = group as [Changes[number], ...Changes];
        heard(stream, type, entity, group).then(
          (published) => published.forEach(([, id, op]) => send(stream, 'record', { type, id, op })),
          // A session that has ended receives nothing, and is closed at the next renewal.
          (error: unknown) =>
            log.warn({ err: error, schema, type }, 'A change could not be published to an open page.'),
        );
      }
  }

  function flush(): void {
    timer = undefined;
    for (const [schema, { tenant, changes }] of pending) {
      const published = condense(changes);
      deliver(schema, published);
      for (let at = 0; at < published.length; at += CHANGES_A_MESSAGE) {
        // Other processes are notified a moment later, or when their browsers next read.
        bus
          .publish(tenant.db, {
            kind: 'records',
            schema,
            from: bus.id,
            changes: published.slice(at, at + CHANGES_A_MESSAGE),
          })
          .catch(() => undefined);
      }
    }
    pending.clear();
  }

  async function renewAll(schema: string | null): Promise<void> {
    const affected = schema === null ? [...all()] : [...(streams.get(schema) ?? [])];
    for (const stream of affected) {
      const before = stream.session.rights.version;
      try {
        stream.session = await stream.renew();
        if (stream.session.rights.version !== before) send(stream, 'rights', {});
      } catch {
        end(stream);
      }
    }
  }

  const offBus = bus.on((message) => {
    if (message.kind === 'records' && message.from !== bus.id) deliver(message.schema, message.changes);
    else if (message.kind === 'notification')
      for (const stream of streams.get(message.schema) ?? []) {
        if (message.users.includes(stream.session.userId)) send(stream, 'notification', {});
      }
    else if (message.kind === 'rights' || message.kind === 'session') void renewAll(message.schema);
    else if (message.kind === 'client') void renewAll(null);
  });
  const heartbeat = setInterval(() => {
    for (const { reply } of all()) write(reply, ': \n\n');
    void renewAll(null);
  }, HEARTBEAT_MS).unref();

  return {
    get size() {
      return size;
    },
    open(reply, session, renew) {
      const { schema } = session.tenant;
      const set = streams.get(schema) ?? new Set<Stream<V>>();
      streams.set(schema, set);
      const mine = [...set].filter((stream) => stream.session.sid === session.sid);
      if (mine.length >= STREAMS_A_SESSION && mine[0]) end(mine[0]);
      const stream: Stream<V> = { reply, session, renew };
      const headers = reply.getHeaders() as Record<string, string | number | string[]>;
      reply.hijack();
      reply.raw.writeHead(200, {
        ...headers,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      reply.raw.write('retry: 2000\n\n');
      set.add(stream);
      size++;
      send(stream, 'state', { state: sight.stateOf(session) });
      reply.raw.on('close', () => {
        if (!set.delete(stream)) return;
        size--;
        if (set.size === 0) streams.delete(schema);
      });
    },
    changed(tenant, type, id, op, entityId) {
      const entry = pending.get(tenant.schema) ?? { tenant, changes: [] };
      entry.changes.push([type, id, op, entityId]);
      pending.set(tenant.schema, entry);
      timer ??= setTimeout(flush, COALESCE_MS);
    },
    onRecords(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    screensChanged(names, problems) {
      for (const stream of all()) {
        if (names.length > 0) send(stream, 'screens', { names });
        if (stream.session.rights.isAdmin) send(stream, 'problems', { count: problems });
      }
    },
    tenantScreensChanged(schema, names) {
      for (const stream of streams.get(schema) ?? []) send(stream, 'screens', { names });
    },
    async close() {
      offBus();
      clearInterval(heartbeat);
      clearTimeout(timer);
      for (const stream of all()) end(stream);
    },
  };
}

/** The last change of each record; many records of one type become one change of the type. */
export function condense(changes: Changes): Changes {
  const last = new Map<string, Changes[number]>();
  const counts = new Map<string, number>();
  for (const change of changes) {
    const key = `${change[0]} ${change[1]}`;
    if (!last.has(key)) counts.set(change[0], (counts.get(change[0]) ?? 0) + 1);
    last.delete(key);
    last.set(key, change);
  }
  const published: Changes = [];
  const whole = new Set<string>();
  for (const change of last.values()) {
    const [type, , op] = change;
    if ((counts.get(type) ?? 0) <= ONE_BY_ONE) published.push(change);
    else if (!whole.has(type)) {
      whole.add(type);
      published.push([type, 0, op, null]);
    }
  }
  return published;
}
