import type { Session } from '../context.ts';
import type { TenantHost } from './host.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The caller. Set before every handler of a route that is not public; a public route that reads it gets `null` at
     * run time.
     */
    session: Session;
    /** Which tenant the host names. */
    tenantHost: TenantHost;
    /** Value of `nonce` for styles and the policy header; only for HTML. */
    cspNonce: string;
    /** Another origin from which the page may load pictures: the client's map; only for HTML. */
    pictureOrigin: string | null;
  }
  interface FastifyContextConfig {
    /** Served without a session. Every such route is also listed in access/sessions/public_routes.ts. */
    public?: boolean;
    /** Also open to restricted sessions: deactivated client, password change due. */
    limited?: boolean;
    /** Also open to an analytics token. */
    analytics?: boolean;
  }
}
