import { AppError } from '../errors.ts';
import type { DriverError, SourceRow } from './source_kind.ts';
import { PORTS } from './source_kind.ts';

/** How long a server may take to answer at all. */
export const CONNECT_MS = 10_000;

export const TOO_SLOW = 'The query took longer than the time-out of the source. Narrow it, or raise the time-out.';
export const READ_ONLY = 'The query may only read.';
export const WRONG_PASSWORD = 'The server does not accept this user name and password.';
export const NOT_ENCRYPTED =
  'The server does not encrypt. If that is meant, choose "If the server can" under Encryption.';

/** What a source's refusal says, without its stack and its secrets. */
export function sourceMessage(error: unknown): string {
  return error instanceof AppError ? error.message : error instanceof Error ? error.message : String(error);
}

/** Where a source is, as people say it. */
export function placeOf({ host, port, kind }: SourceRow): string {
  return `${host ?? ''}, port ${port ?? PORTS[kind as keyof typeof PORTS]}`;
}

export const noAnswer = (source: SourceRow): string =>
  `Nothing answered at ${placeOf(source)} within ${CONNECT_MS / 1000} s. Check server, port and firewall.`;

export const noMore = (source: SourceRow): string => `The server at ${placeOf(source)} ended the connection.`;

/** What a lost or refused connection means; null = the error is another one. */
export function networkMessage(error: DriverError, source: SourceRow): string | null {
  switch (error.code) {
    case 'ECONNREFUSED':
      return `Nothing listens at ${placeOf(source)}. Check server, port and firewall.`;
    case 'ETIMEDOUT':
      return noAnswer(source);
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `There is no way to ${placeOf(source)}. Check the server and the network.`;
    case 'ECONNRESET':
    case 'EPIPE':
      return noMore(source);
    default:
      return null;
  }
}
