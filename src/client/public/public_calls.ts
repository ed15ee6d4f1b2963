import type { PublicView } from '../../descriptor/public_page.ts';

/** A refusal as the page displays it. */
export interface PublicRefusal {
  code: string;
  message: string;
  /** Errors by field. */
  fields: Readonly<Record<string, string>>;
}

export type PublicAnswer = { view: PublicView } | { refusal: PublicRefusal };

interface ErrorBody {
  error?: { code?: string; message?: string; details?: { field: string; message: string }[] };
}

const LOST: PublicRefusal = {
  code: 'offline',
  message: 'There is no connection. Nothing is lost. Try again when you are online.',
  fields: {},
};

/** The message when there is nothing to show, whatever the reason. */
const NOT_THERE = 'This link is no longer valid. Ask the sender for a new one.';

async function call(token: string, init?: RequestInit): Promise<PublicAnswer> {
  let answer: Response;
  try {
    answer = await fetch(`/papi/${encodeURIComponent(token)}`, { ...init, credentials: 'omit' });
  } catch {
    return { refusal: LOST };
  }
  const body = (await answer.json().catch(() => ({}))) as ErrorBody & { data?: PublicView };
  if (answer.ok && body.data) return { view: body.data };
  const { code = 'internal', message = 'Something went wrong. Please try again.', details = [] } = body.error ?? {};
  return {
    refusal: {
      code,
      message: answer.status === 404 ? NOT_THERE : message,
      fields: Object.fromEntries(details.map((one) => [one.field, one.message])),
    },
  };
}

/** The content of a link's page. */
export const readPage = (token: string): Promise<PublicAnswer> => call(token);

/** Takes the action of a link. Repeating it with the same `key` has no further effect. */
export const sendPage = (
  token: string,
  act: string | null,
  values: Readonly<Record<string, unknown>>,
  key: string,
  answers?: readonly object[],
): Promise<PublicAnswer> =>
  call(token, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ act, values, ...(answers && { answers }) }),
  });

/** A refusal by the server, or no response at all (status 0). */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function send<T>(address: string, init: RequestInit): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(address, { ...init, credentials: 'omit' });
  } catch {
    throw new Refused(0, LOST.message);
  }
  const body = (await answer.json().catch(() => ({}))) as ErrorBody & { data?: T };
  if (answer.ok && body.data !== undefined) return body.data;
  throw new Refused(answer.status, body.error?.message ?? 'Something went wrong. Please try again.');
}

/**
 * Saves answers.
 * @returns the answers that could not be saved
 * @throws an Error with the status of a refusal; 0: not reached
 */
export const sendAnswers = async (token: string, answers: readonly object[]): Promise<readonly { message: string }[]> =>
  (
    await send<{ refused: { message: string }[] }>(`/papi/${encodeURIComponent(token)}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ answers }),
    })
  ).refused;

/** Saves a file as an answer. @throws an Error as in `sendAnswers` */
export function sendFile(token: string, question: string, file: File, client: string): Promise<{ id: number }> {
  const body = new FormData();
  body.set('file', file, file.name);
  const query = new URLSearchParams({ question, client, seq: String(Date.now()) });
  return send(`/papi/${encodeURIComponent(token)}/files?${String(query)}`, { method: 'POST', body });
}

/** The address of a file on a link's page. */
export const fileOf = (token: string, id: number): string => `/papi/${encodeURIComponent(token)}/files/${id}`;
