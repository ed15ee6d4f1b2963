import ky, { HTTPError, TimeoutError } from 'ky';
import type { Options } from 'ky';
import type { FieldError } from '../../descriptor/types.ts';
import { toast } from '../app/feedback.ts';
import { currentSession } from '../app/session.ts';
import { bearer, csrfHeader } from '../app/stored_session.ts';
import type { SessionRefusal } from './session_events.ts';
import {
  announceAppVersion,
  announceRefusal,
  announceRightsVersion,
  endSession,
  noteServerTime,
} from './session_events.ts';

/** An error of the server, or no response at all (status 0, code `offline` or `no_response`). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly field: string | null;
  readonly reason: string | null;
  readonly details: FieldError[];
  readonly requestId: string | null;
  /** Further members of the error, e.g. `theirs` of a stale version, `used_by` of a delete in use. */
  readonly extra: Record<string, unknown>;

  constructor(
    status: number,
    code: string,
    message: string,
    more: {
      field?: string | null;
      reason?: string | null;
      details?: FieldError[];
      requestId?: string | null;
      extra?: Record<string, unknown>;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = more.field ?? null;
    this.reason = more.reason ?? null;
    this.details = more.details ?? [];
    this.requestId = more.requestId ?? null;
    this.extra = more.extra ?? {};
  }
}

export interface CallOptions {
  /** The caller shows the error itself: no toast. */
  quiet?: boolean;
  signal?: AbortSignal;
  /** The company of the call, if it is not the tab's: a form is saved in the company in which it was opened. */
  entityId?: number | null;
  headers?: Record<string, string>;
}

export type QueryValue = string | number | boolean | null | undefined;
export type Query = Record<string, QueryValue> | URLSearchParams;

/** The headers of every call: the session, the company, and a request id for the log. */
export function callHeaders(options: CallOptions = {}): Record<string, string> {
  const session = currentSession();
  const entityId = options.entityId === undefined ? session.entityId : options.entityId;
  return {
    accept: 'application/json',
    'x-request-id': crypto.randomUUID?.() ?? `r-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`,
    ...bearer(session.token),
    ...(entityId !== null && { 'x-entity-id': String(entityId) }),
    ...csrfHeader(),
    ...options.headers,
  };
}

/** Reads are retried when the server is temporarily unavailable; writes never are. */
const client = ky.create({
  prefix: location.origin,
  timeout: 60_000,
  retry: {
    limit: 3,
    methods: ['get'],
    statusCodes: [503],
    afterStatusCodes: [503],
    maxRetryAfter: 5_000,
    delay: (n) => 300 * 2 ** (n - 1),
  },
});

/** ky's `prefix` takes paths without the leading slash. */
function relative(path: string): string {
  return path.replace(/^\/+/, '');
}

function searchParams(query: Query | undefined): URLSearchParams | undefined {
  if (query === undefined || query instanceof URLSearchParams) return query;
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value));
  }
  return params;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `from_user` goes into every JSON body that lacks it. Lists stay lists. */
function withUser(body: unknown): unknown {
  const { userId } = currentSession();
  if (!isObject(body) || userId === 0 || 'from_user' in body) return body;
  return { ...body, from_user: userId };
}

async function call(method: string, path: string, init: Options, options: CallOptions): Promise<Response> {
  try {
    const response = await client(relative(path), {
      ...init,
      method,
      headers: { ...callHeaders(options), ...(init.headers as Record<string, string> | undefined) },
      ...(options.signal && { signal: options.signal }),
    });
    noteVersions(response.headers);
    return response;
  } catch (thrown) {
    if (options.signal?.aborted) throw thrown;
    const error = await toApiError(thrown);
    handle(error, options);
    throw error;
  }
}

/** Session errors go to the frame; all others are shown, unless the caller does. */
function handle(error: ApiError, options: CallOptions): void {
  if (error.status === 401) endSession(error.reason);
  else if (isRefusedSession(error.code)) announceRefusal(error.code);
  else if (!options.quiet) showError(error);
}

const isRefusedSession = (code: string): code is SessionRefusal =>
  code === 'entity_forbidden' || code === 'client_deactivated' || code === 'csrf';

const isOfSession = ({ status, code }: ApiError): boolean => status === 401 || isRefusedSession(code);

/** This device's data instead of the unreachable server; undefined = none. */
async function answerOfDevice<T>(path: string, params: URLSearchParams | undefined): Promise<T | undefined> {
  if (!('indexedDB' in globalThis)) return undefined;
  try {
    const { packetAnswer } = await import('../runtime/offline/packet_answers.ts');
    return (await packetAnswer(path, params)) as T | undefined;
  } catch {
    // A browser without storage has none.
    return undefined;
  }
}

function noteVersions(headers: Headers): void {
  announceRightsVersion(headers.get('x-rights-version'));
  announceAppVersion(headers.get('x-app-version'));
  noteServerTime(headers.get('date'));
}

async function toApiError(thrown: unknown): Promise<ApiError> {
  if (thrown instanceof HTTPError) {
    noteVersions(thrown.response.headers);
    return fromBody(thrown.response.status, thrown.data, thrown.response.headers);
  }
  if (!navigator.onLine) return new ApiError(0, 'offline', 'You are offline!');
  if (thrown instanceof TimeoutError) return new ApiError(0, 'no_response', 'Unable to contact server');
  return new ApiError(0, 'no_response', 'Unable to contact server');
}

/** Parses the error body of docs/http.md; any other body becomes a text for the status. */
export function fromBody(status: number, body: unknown, headers: Headers): ApiError {
  const error = isObject(body) && isObject(body.error) ? body.error : {};
  const { code, message, field, reason, details, request_id: requestId, ...extra } = error;
  return new ApiError(
    status,
    typeof code === 'string' ? code : `status_${status}`,
    typeof message === 'string' && message !== '' ? message : wordsForStatus(status),
    {
      field: typeof field === 'string' ? field : null,
      reason: typeof reason === 'string' ? reason : null,
      details: Array.isArray(details) ? details.filter(isFieldError) : [],
      requestId: typeof requestId === 'string' ? requestId : headers.get('x-request-id'),
      extra,
    },
  );
}

function isFieldError(value: unknown): value is FieldError {
  return isObject(value) && typeof value.field === 'string' && typeof value.message === 'string';
}

function wordsForStatus(status: number): string {
  if (status === 503) return 'The server is busy. Try again in a moment.';
  if (status >= 500) return 'Server Error';
  if (status === 404) return 'This record does not exist or is not visible to you.';
  if (status === 403) return 'You do not have access to that page.';
  if (status === 413) return 'The file is too large.';
  if (status === 429) return 'Too many requests. Wait a moment and try again.';
  return `The server refused the request (${status}).`;
}

/** The specification's toasts, for every call whose caller does not show errors itself. */
function showError(error: ApiError): void {
  // A temporary refusal (503) includes its reason and remedy; other server errors have none.
  if (error.status >= 500 && error.status !== 503) {
    toast.error('Server Error', error.requestId ? { details: `Request ${error.requestId}` } : {});
  } else {
    toast.error(error.message);
  }
}

async function json<T>(response: Response): Promise<T> {
  if (response.status === 204) return undefined as T;
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

function send<T>(method: string) {
  return async (path: string, body?: unknown, options: CallOptions = {}): Promise<T> => {
    const init: Options = body === undefined ? {} : { json: withUser(body) };
    return json<T>(await call(method, path, init, options));
  };
}

/** Sends a form and reports the progress; fetch cannot, so this is the only XMLHttpRequest. */
function upload<T>(
  path: string,
  form: FormData,
  onProgress?: (part: number) => void,
  options: CallOptions = {},
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = (error: ApiError) => {
      handle(error, options);
      reject(error);
    };
    request.open('POST', `/${relative(path)}`);
    for (const [name, value] of Object.entries(callHeaders(options))) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    };
    request.onload = () => {
      let body: unknown;
      try {
        body = request.responseText === '' ? undefined : JSON.parse(request.responseText);
      } catch {
        body = undefined;
      }
      if (request.status >= 200 && request.status < 300) resolve(body as T);
      else fail(fromBody(request.status, body, new Headers()));
    };
    request.onerror = () => {
      fail(
        navigator.onLine
          ? new ApiError(0, 'no_response', 'Unable to contact server')
          : new ApiError(0, 'offline', 'You are offline!'),
      );
    };
    request.onabort = () => reject(new DOMException('The upload was stopped.', 'AbortError'));
    options.signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

/** Downloads a file with the session's rights and saves it with the server's file name. */
async function download(path: string, query?: Query, options: CallOptions = {}): Promise<void> {
  const params = searchParams(query);
  await saveFile(path, await call('get', path, params ? { searchParams: params } : {}, options));
}

/** The same for a file that is made from what is sent. */
async function downloadMade(path: string, body: unknown, options: CallOptions = {}): Promise<void> {
  await saveFile(path, await call('post', path, { json: withUser(body) }, options));
}

/** Saves the file of an answer with the server's file name. */
async function saveFile(path: string, response: Response): Promise<void> {
  const disposition = response.headers.get('content-disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  const plain = /filename="?([^";]+)"?/i.exec(disposition)?.[1];
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = encoded ? decodeURIComponent(encoded) : (plain ?? relative(path).split('/').pop() ?? 'download');
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/**
 * The calls of docs/http.md. They throw {@link ApiError}; unless `quiet`, a toast has then already been shown. Paths
 * begin with `/tapi` or `/api`.
 */
export const api = {
  async get<T>(path: string, query?: Query, options: CallOptions = {}): Promise<T> {
    const params = searchParams(query);
    // Without a network nothing is retried: this device's data is returned at once.
    const init: Options = { ...(params && { searchParams: params }), ...(!navigator.onLine && { retry: 0 }) };
    try {
      return await json<T>(await call('get', path, init, { ...options, quiet: true }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const kept = error.status === 0 ? await answerOfDevice<T>(path, params) : undefined;
      if (kept !== undefined && !options.signal?.aborted) return kept;
      if (!options.quiet && !isOfSession(error)) showError(error);
      throw error;
    }
  },
  post<T>(path: string, body?: unknown, options?: CallOptions): Promise<T> {
    return send<T>('post')(path, body, options);
  },
  patch<T>(path: string, body?: unknown, options?: CallOptions): Promise<T> {
    return send<T>('patch')(path, body, options);
  },
  put<T>(path: string, body?: unknown, options?: CallOptions): Promise<T> {
    return send<T>('put')(path, body, options);
  },
  delete<T = void>(path: string, options?: CallOptions): Promise<T> {
    return send<T>('delete')(path, undefined, options);
  },
  upload,
  download,
  downloadMade,
};
