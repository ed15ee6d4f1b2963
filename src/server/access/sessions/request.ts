import type { Session } from '../context.ts';
import type { TenantHost } from './host.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Who is asking. Set before every handler of a route that is not public; a public route that
     * reads it gets `null` at run time.
     */
    session: Session;
    /** Which tenant the host names. */
    tenantHost: TenantHost;
    /** Value for `nonce` of styles, and for the policy header; HTML answers only. */
    cspNonce: string;
    /** Another origin that the page may load pictures from: that of the client's map; HTML answers only. */
    pictureOrigin: string | null;
  }
  interface FastifyContextConfig {
    /** Served without a session. Every such route is also named in access/sessions/public_routes.ts. */
    public?: boolean;
    /** Also open to sessions that may do nothing else: deactivated client, password change due. */
    limited?: boolean;
    /** Also open to an analytics token. */
    analytics?: boolean;
  }
}
