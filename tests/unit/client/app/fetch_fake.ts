import { vi } from 'vitest';

export interface FakeCall {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: unknown;
}

/** `text` is sent as it is, `body` as JSON. */
type Answer = { status?: number; body?: unknown; text?: string; headers?: Record<string, string> };
type Handler = (call: FakeCall) => Answer | Promise<Answer>;

/** Answers calls at the network boundary by "METHOD /path"; `fail` as handler = no answer at all. */
export function fakeFetch(handlers: Record<string, Handler | 'fail'>): FakeCall[] {
  const calls: FakeCall[] = [];
  vi.stubGlobal('fetch', async (input: Request | string | URL, init?: RequestInit) => {
    const request = input instanceof Request ? input : new Request(new URL(String(input), location.origin), init);
    const url = new URL(request.url);
    const text = await request.text();
    const call: FakeCall = {
      method: request.method.toUpperCase(),
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    calls.push(call);
    const handler = handlers[`${call.method} ${call.path}`];
    if (handler === 'fail') throw new TypeError('Failed to fetch');
    const answer = handler ? await handler(call) : { status: 404, body: {} };
    return new Response(answer.text ?? (answer.body === undefined ? null : JSON.stringify(answer.body)), {
      status: answer.status ?? 200,
      headers: { 'content-type': 'application/json', ...answer.headers },
    });
  });
  return calls;
}
