import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { answersSoon } from '../../db/answers_soon.ts';
import type { Directory } from '../../db/directory.ts';
import { AppError } from '../../db/errors.ts';
import type { DiskRoom } from '../../services/files/disk_room.ts';
import type { LiveHub } from '../../services/live/hub.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';

interface MetricsConfig {
  /** Bearer token for the figures from other machines. */
  metricsToken: string | undefined;
}

export interface HealthDeps {
  config: MetricsConfig;
  directory: Directory;
  store: ScreenStore;
  hub: LiveHub<LiveSession>;
  disk: DiskRoom;
}

/** Liveness, readiness, and metrics for Prometheus. */
export async function healthRoutes(
  app: FastifyInstance,
  { config, directory, store, hub, disk }: HealthDeps,
): Promise<void> {
  app.get('/healthz', { config: { public: true } }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });

  app.get('/readyz', { config: { public: true } }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    const database = await answersSoon(directory.main);
    const room = await disk.hasRoom();
    const ready = database && room && store.screens().size > 0;
    if (!ready) reply.header('retry-after', 5);
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ready' : 'not ready', database, room, screens: store.screens().size });
  });

  const register = new Registry();
  collectDefaultMetrics({ register });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [register],
  });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [register],
      collect() {
        this.set(read());
      },
    });
  gauge('database_connections', 'Connections of the main pool.', () => directory.main.load().connections);
  gauge(
    'database_connections_idle',
    'Connections of the main pool that wait for work.',
    () => directory.main.load().idle,
  );
  gauge('database_waiting', 'Calls that wait for a connection.', () => directory.main.load().waiting);
  gauge('live_streams', 'Open streams of live changes.', () => hub.size);
  gauge('screens', 'Screens in force.', () => store.screens().size);
  gauge('descriptor_problems', 'Findings about descriptors that were refused.', () => store.problems().length);

  app.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });

  app.get('/metrics', { config: { public: true } }, async (request, reply) => {
    if (!mayRead(request, config)) throw new AppError(404, 'not_found', 'There is no page at this address.');
    return reply
      .header('cache-control', 'no-store')
      .type(register.contentType)
      .send(await register.metrics());
  });
}

/** From this machine without a proxy, or with the token. */
function mayRead(request: FastifyRequest, config: MetricsConfig): boolean {
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (config.metricsToken !== undefined && given !== undefined) {
    const [a, b] = [Buffer.from(given), Buffer.from(config.metricsToken)];
    return a.length === b.length && timingSafeEqual(a, b);
  }
  const peer = request.socket.remoteAddress ?? '';
  return /^(127\.|::1$|::ffff:127\.)/.test(peer) && request.headers['x-forwarded-for'] === undefined;
}
