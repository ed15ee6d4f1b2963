import type { FastifyReply } from 'fastify';
import { csrfToken } from './csrf.ts';
import { PLAIN_SESSION_COOKIE, SESSION_COOKIE } from './guard.ts';
import type { SessionServices } from './services.ts';

/** Whether browsers reach this server only over https. */
export function isSecure({ config }: Pick<SessionServices, 'config'>): boolean {
  return config.publicUrl?.protocol === 'https:';
}

/** Sets the session cookie, which scripts cannot read, and the CSRF token, which scripts send back. */
export function setSessionCookies(
  reply: FastifyReply,
  services: SessionServices,
  session: { token: string; sid: string; expires: Date },
): void {
  const { token, sid, expires } = session;
  const secure = isSecure(services);
  reply.setCookie(secure ? SESSION_COOKIE : PLAIN_SESSION_COOKIE, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    expires,
  });
  // The client's scripts read this one and send it as X-CSRF-Token.
  reply.setCookie('csrf_token', csrfToken(sid, services.secrets.csrf), { path: '/', sameSite: 'lax', secure, expires });
}
