import { currentSession } from '../app/session.ts';
import { bearer } from '../app/stored_session.ts';

/** The messages of the server to every open browser. */
export type LiveEvent =
  | { event: 'screens'; data: { names: string[] } }
  | { event: 'record'; data: { type: string; id: number; op: string } }
  | { event: 'rights'; data: Record<string, unknown> }
  | { event: 'problems'; data: { count: number } }
  /** The first message of every stream: equal to the menu's hash if both are current. */
  | { event: 'state'; data: { state: string } }
  /** New notifications for this person, or some were read elsewhere. */
  | { event: 'notification'; data: Record<string, unknown> }
  /** The stream was interrupted and is back: events in between are unknown. */
  | { event: 'resumed'; data: Record<string, unknown> };

const listeners = new Set<(event: LiveEvent) => void>();
const known = new Set(['screens', 'record', 'rights', 'problems', 'state', 'notification']);

/** Subscribes to live changes; returns the unsubscribe function. */
export function onLive(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Reports that the server is reachable again: the displayed data is reloaded. */
export function announceResumed(): void {
  publish({ event: 'resumed', data: {} });
}

function publish(event: LiveEvent): void {
  for (const listener of listeners) listener(event);
}

/**
 * Opens the stream. One tab holds it for all tabs of this browser: over HTTP/1.1 a browser has six connections per
 * host, and six tabs with a stream each would leave none for calls. Returns the function that closes it.
 */
export function openLive(): () => void {
  const stop = new AbortController();
  const others = typeof BroadcastChannel === 'function' ? new BroadcastChannel('live') : null;
  if (others) others.onmessage = (message: MessageEvent<LiveEvent>) => publish(message.data);
  const hold = () =>
    follow(stop.signal, (event) => {
      publish(event);
      others?.postMessage(event);
    });
  if (navigator.locks) {
    navigator.locks.request('live', { signal: stop.signal }, hold).catch(() => undefined);
  } else {
    void hold();
  }
  return () => {
    stop.abort();
    others?.close();
  };
}

async function follow(signal: AbortSignal, emit: (event: LiveEvent) => void): Promise<void> {
  let wait = 1000;
  let connected = false;
  while (!signal.aborted) {
    try {
      const { token, entityId } = currentSession();
      if (token === '') return;
      const response = await fetch('/tapi/live', {
        signal,
        headers: {
          accept: 'text/event-stream',
          ...bearer(token),
          ...(entityId !== null && { 'x-entity-id': String(entityId) }),
        },
      });
      if (response.status === 401 || response.status === 403) return;
      if (response.ok && response.body) {
        if (connected) emit({ event: 'resumed', data: {} });
        connected = true;
        wait = 1000;
        await read(response.body, emit);
      }
    } catch {
      // The connection was interrupted; it is reopened below.
    }
    await pause(wait, signal);
    wait = Math.min(wait * 2, 30_000);
  }
}

function pause(time: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, time);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

async function read(body: ReadableStream<Uint8Array>, emit: (event: LiveEvent) => void): Promise<void> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value.replaceAll('\r\n', '\n');
    let end = text.indexOf('\n\n');
    while (end >= 0) {
      const event = parseEvent(text.slice(0, end));
      if (event) emit(event);
      text = text.slice(end + 2);
      end = text.indexOf('\n\n');
    }
  }
}

/** One block of a server-sent event stream; null for heartbeats and unknown events. */
function parseEvent(block: string): LiveEvent | null {
  let name = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) name = line.slice(6).trim();
    else if (line.startsWith('data:')) data.push(line.slice(5).trimStart());
  }
  if (!known.has(name) || data.length === 0) return null;
  try {
    return { event: name, data: JSON.parse(data.join('\n')) } as LiveEvent;
  } catch {
    return null;
  }
}
