import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

interface HeaderConfig {
  publicUrl: URL | undefined;
  /** Set if browsers register for push messages. */
  firebase: object | undefined;
}

/**
 * Scripts come only from our own files; styles also with the nonce of their page, pictures also from the client's map.
 */
function policy(nonce: string, pictureOrigin: string | null, push: boolean): string {
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `style-src-attr 'none'`,
    `img-src 'self' data: blob:${pictureOrigin === null ? '' : ` ${pictureOrigin}`}`,
    `media-src 'self'`,
    `font-src 'self' data:`,
    // Where a browser registers for push messages.
    `connect-src 'self'${push ? ' https://firebaseinstallations.googleapis.com https://fcmregistrations.googleapis.com' : ''}`,
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}

/** For responses that are not pages: nothing may be loaded. */
const DATA_POLICY = `default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

/** The headers that helmet sets on every response. They are constant, so they are computed once. */
function helmetHeaders(config: HeaderConfig): Record<string, string> {
  const headers: Record<string, string> = {};
  const answer = {
    setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value),
    removeHeader: () => undefined,
  };
  helmet({
    contentSecurityPolicy: false,
    strictTransportSecurity:
      config.publicUrl?.protocol === 'https:' ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'same-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
  })({} as IncomingMessage, answer as unknown as ServerResponse, () => undefined);
  return headers;
}

/** Helmet's headers, a policy for the kind of response, and no caching of data unless a route allows it. */
export function addSecurityHeaders(app: FastifyInstance, config: HeaderConfig): void {
  const always = helmetHeaders(config);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(always);
    if (request.method === 'GET' && /\btext\/html\b/.test(String(request.headers.accept ?? '')))
      request.cspNonce = randomBytes(16).toString('base64');
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    const html = String(reply.getHeader('content-type') ?? '').startsWith('text/html');
    if (!reply.hasHeader('content-security-policy'))
      reply.header(
        'content-security-policy',
        html ? policy(request.cspNonce, request.pictureOrigin, config.firebase !== undefined) : DATA_POLICY,
      );
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    done();
  });
}
