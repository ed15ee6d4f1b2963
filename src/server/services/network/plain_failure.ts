import { AddressRefused } from './outside_address.ts';

interface Failure {
  code?: string;
  message: string;
  cause?: unknown;
}

/**
 * Why a server could not be reached, as one of a few classes: its texts, including the certificate, are not repeated,
 * because the person who entered the address may have no right to read them. `place` is the server's name for people.
 */
export function plainFailure(error: unknown, place: string): string {
  if (error instanceof AddressRefused) return error.message;
  const { code = '', message, cause } = error as Failure;
  if (cause instanceof AddressRefused) return cause.message;
  const text = `${code} ${message}`;
  if (/ENOTFOUND|EAI_AGAIN|EDNS/.test(text)) return `There is no server at ${place}. Check its name.`;
  if (text.includes('ECONNREFUSED')) return `Nothing answers at ${place}. Check server and port.`;
  if (/ETIMEDOUT|ETIME\b|timed? ?out/i.test(text))
    return `${place} does not answer. Check the port, and whether a firewall is in between.`;
  if (/EHOSTUNREACH|ENETUNREACH/.test(text)) return `${place} cannot be reached. Check the server and the network.`;
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS_/.test(code)) return `The certificate of ${place} is not valid.`;
  if (/EPROTO|ERR_SSL|ETLS|STARTTLS/.test(text))
    return `${place} does not support the chosen encryption. Check security and port.`;
  if (/ECONNRESET|EPIPE|socket hang up|closed/i.test(text)) return `${place} ended the connection.`;
  return `${place} did not answer as expected. Check server, port and security.`;
}
