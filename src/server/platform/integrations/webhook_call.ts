import { createHmac } from 'node:crypto';
import { request as plainRequest } from 'node:http';
import type { ClientRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { lookupWithin, wrongAddress } from '../../services/network/outside_address.ts';
import { plainFailure } from '../../services/network/plain_failure.ts';

/** The result of a call: a response, or why there was none. */
export interface CallResult {
  status: number | null;
  /** Why it failed, in our words; the receiver's text is not repeated. null = accepted. */
  reason: string | null;
  ms: number;
}

export interface Call {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutSeconds: number;
}

/** The maximum part of a response that is read. */
const READ_BYTES = 16 * 1024;

/**
 * Value of `webhook-signature` by Standard Webhooks 1.0: v1 = base64(HMAC-SHA256(secret, id.timestamp.body)), one for each
 * secret, the newest first. Secrets are `whsec_` and base64.
 */
export function webhookSignature(secrets: readonly string[], id: string, timestamp: number, body: string): string {
  return secrets
    .map(
      (secret) =>
        `v1,${createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
          .update(`${id}.${timestamp}.${body}`)
          .digest('base64')}`,
    )
    .join(' ');
}

/** Posts to an external address; redirects are not followed. Never throws. */
export function postOutside({ url, headers, body, timeoutSeconds }: Call): Promise<CallResult> {
  const from = performance.now();
  const done = (status: number | null, reason: string | null): CallResult => ({
    status,
    reason,
    ms: Math.round(performance.now() - from),
  });
  const answered = (status: number) =>
    done(status, status >= 200 && status <= 299 ? null : `The receiver answered ${status}. It must answer 200 to 299.`);
  const wrong = wrongAddress(url);
  if (wrong !== null) return Promise.resolve(done(null, wrong));
  return new Promise((resolve) => {
    const bytes = Buffer.from(body);
    let call: ClientRequest | undefined;
    const timer = setTimeout(() => {
      resolve(done(null, `No answer within ${timeoutSeconds} s.`));
      call?.destroy();
    }, timeoutSeconds * 1000);
    const finish = (result: CallResult) => {
      clearTimeout(timer);
      resolve(result);
    };
    try {
      call = (url.startsWith('https:') ? tlsRequest : plainRequest)(
        url,
        {
          method: 'POST',
          agent: false,
          lookup: lookupWithin(),
          headers: {
            'user-agent': 'Mainstay',
            accept: '*/*',
            ...headers,
            'content-type': 'application/json; charset=utf-8',
            'content-length': bytes.length,
          },
        },
        (answer) => {
          let size = 0;
          const end = () => {
            finish(answered(answer.statusCode ?? 0));
            call?.destroy();
          };
          answer.on('data', (part: Buffer) => {
            size += part.length;
            if (size > READ_BYTES) end();
          });
          answer.on('end', end);
          answer.on('error', end);
        },
      );
      call.on('error', (error) => finish(done(null, plainFailure(error, new URL(url).host))));
      call.end(bytes);
    } catch (error) {
      finish(done(null, plainFailure(error, new URL(url).host)));
    }
  });
}
