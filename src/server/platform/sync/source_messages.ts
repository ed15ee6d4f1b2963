import { AppError } from '../../db/errors.ts';
import { plainFailure } from '../../services/network/plain_failure.ts';
import type { DriverError, SourceRow } from './source_kind.ts';
import { PORTS } from './source_kind.ts';

/** The time-out for the first response of a server. */
export const CONNECT_MS = 10_000;

export const TOO_SLOW = 'The query took longer than the time-out of the source. Narrow it, or raise the time-out.';
export const READ_ONLY = 'The query may only read.';
export const WRONG_PASSWORD = 'The server does not accept this user name and password.';
export const NOT_ENCRYPTED =
  'The server does not support encryption. If that is intended, choose "If the server supports it" under Encryption.';

const notLetIn = new WeakSet<object>();

/** Runs the steps until a server has authenticated us. Errors before that are reported without the server's text. */
export async function signingIn<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (typeof error === 'object' && error !== null) notLetIn.add(error);
    throw error;
  }
}

/** The message of an error without a better one: the server's own after authentication, otherwise a coarse class. */
export function otherMessage(error: DriverError, source: SourceRow): string {
  if (source.kind === 'http_json' || notLetIn.has(error)) return plainFailure(error, placeOf(source));
  return error.message.replace(/\nHelp: \S+\s*$/, '');
}

/** The message of a source's error, without stack and credentials. */
export function sourceMessage(error: unknown): string {
  return error instanceof AppError ? error.message : error instanceof Error ? error.message : String(error);
}

/** The location of a source, for people. */
export function placeOf({ host, port, kind, url }: SourceRow): string {
  if (kind === 'http_json') return URL.canParse(url ?? '') ? new URL(url!).host : 'the service';
  return `${host ?? ''}, port ${port ?? PORTS[kind as keyof typeof PORTS]}`;
}

export const noAnswer = (source: SourceRow): string =>
  `Nothing answered at ${placeOf(source)} within ${CONNECT_MS / 1000} s. Check server, port and firewall.`;

export const noMore = (source: SourceRow): string => `The server at ${placeOf(source)} ended the connection.`;

/** The message for a lost or refused connection; null = another error. */
export function networkMessage(error: DriverError, source: SourceRow): string | null {
  switch (error.code) {
    case 'ECONNREFUSED':
      return `Nothing listens at ${placeOf(source)}. Check server, port and firewall.`;
    case 'ETIMEDOUT':
      return noAnswer(source);
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${placeOf(source)} cannot be reached. Check the server and the network.`;
    case 'ECONNRESET':
    case 'EPIPE':
      return noMore(source);
    default:
      return null;
  }
}
