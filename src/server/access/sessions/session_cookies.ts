import type { FastifyReply } from 'fastify';
import { csrfToken } from './csrf.ts';
import { PLAIN_SESSION_COOKIE, SESSION_COOKIE } from './guard.ts';
import type { SessionServices } from './services.ts';

/** Whether browsers reach this server over https alone. */
export function isSecure({ config }: Pick<SessionServices, 'config'>): boolean {
  return config.publicUrl?.protocol === 'https:';
}

/** Gives the browser the session where scripts cannot read it, and the mark its scripts send back against forged requests. */
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
  // The client's scripts read this one and send it back as X-CSRF-Token.
  reply.setCookie('csrf_token', csrfToken(sid, services.secrets.csrf), { path: '/', sameSite: 'lax', secure, expires });
}
