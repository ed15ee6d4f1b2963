/**
 * Every route that is served without a session. A route that is not in this list and not marked
 * `config: { public: true }` asks for one, and a test holds that both lists say the same.
 */
const PUBLIC_ROUTES: ReadonlySet<string> = new Set([
  'POST /sessions/login',
  // Goes on with a sign-in whose password was right.
  'POST /sessions/otp',
  'POST /password/forgot',
  'POST /password/reset',
  'GET /host',
  'GET /global_country_service',
  'GET /config.json',
  'GET /version.json',
  // What a page looks like before anybody signs in: pictures and name of the host's brand.
  'GET /brand_picture/:name',
  'GET /manifest.webmanifest',
  // The blog: published articles, and drafts by a signed address.
  'GET /articles',
  'GET /articles/:slug',
  'GET /articles/:slug/cover',
  'GET /articles/preview/:ticket',
  'GET /articles/preview/:ticket/cover',
  // Its form, by which anybody writes to the makers.
  'GET /enquiry',
  'POST /enquiry',
  // What a person's calendar program fetches: the address is the secret.
  'GET /calendar/:file',
  // What a link opens that was given to somebody without an account: the token is the right.
  'GET /papi/:token',
  'GET /papi/:token/print/:file',
  'POST /papi/:token',
  'PATCH /papi/:token',
  'POST /papi/:token/files',
  'GET /papi/:token/files/:id',
  'GET /healthz',
  'GET /readyz',
  // Guards itself: this machine or METRICS_TOKEN.
  'GET /metrics',
  // The address is an HMAC of the content, given out only with the right to open the screen.
  'GET /screens/:file',
  // The address is signed for 60 seconds.
  'GET /files/:address',
  'GET /docs',
  'GET /docs/start.js',
  'GET /docs/:file',
  // The built client, and the page for every address of it.
  'GET /*',
]);

/** `GET /tapi/x` and `GET /x` are the same call. */
export function routeName(method: string, url: string): string {
  return `${method} ${url.replace(/^\/(?:t?api)(?=\/)/, '')}`;
}

export function isPublicRoute(method: string, url: string): boolean {
  return PUBLIC_ROUTES.has(routeName(method === 'HEAD' ? 'GET' : method, url));
}
