/**
 * Every route served without a session. A route that is neither in this list nor marked `config: { public: true }`
 * requires one, and a test checks that both lists agree.
 */
const PUBLIC_ROUTES: ReadonlySet<string> = new Set([
  'POST /sessions/login',
  // Continues a sign-in after a correct password.
  'POST /sessions/otp',
  'POST /password/forgot',
  'POST /password/reset',
  'GET /host',
  'GET /global_country_service',
  'GET /config.json',
  'GET /version.json',
  // The look of the sign-in page: pictures and name of the host's brand.
  'GET /brand_picture/:name',
  'GET /manifest.webmanifest',
  // The blog: published articles, and drafts by a signed address.
  'GET /articles',
  'GET /articles/:slug',
  'GET /articles/:slug/cover',
  'GET /articles/preview/:ticket',
  'GET /articles/preview/:ticket/cover',
  // Its contact form.
  'GET /enquiry',
  'POST /enquiry',
  // Fetched by a person's calendar application: the address is the secret.
  'GET /calendar/:file',
  // Public pages opened by a link: the token is the right.
  'GET /papi/:token',
  'GET /papi/:token/print/:file',
  'POST /papi/:token',
  'PATCH /papi/:token',
  'POST /papi/:token/files',
  'GET /papi/:token/files/:id',
  'GET /healthz',
  'GET /readyz',
  // Protects itself: only this machine or METRICS_TOKEN.
  'GET /metrics',
  // The address is an HMAC of the content, issued only with the right to open the screen.
  'GET /screens/:file',
  // The address is signed, and valid for 60 seconds.
  'GET /files/:address',
  'GET /docs',
  'GET /docs/start.js',
  'GET /docs/:file',
  // The built client, and its page at every address.
  'GET /*',
]);

/** `GET /tapi/x` and `GET /x` are the same call. */
export function routeName(method: string, url: string): string {
  return `${method} ${url.replace(/^\/(?:t?api)(?=\/)/, '')}`;
}

export function isPublicRoute(method: string, url: string): boolean {
  return PUBLIC_ROUTES.has(routeName(method === 'HEAD' ? 'GET' : method, url));
}
