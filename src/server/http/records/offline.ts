import type { FastifyInstance } from 'fastify';
import type { OfflineAct } from '../../engine/offline/offline_act.ts';
import type { PacketDeps } from './offline_packet.ts';
import { packetOf } from './offline_packet.ts';
import type { OfflineDeps } from '../../engine/offline/offline_acts.ts';
import { takeOfflineActs } from '../../engine/offline/offline_acts.ts';
import { discardRefused, openRefused, seenRefused } from '../../engine/offline/refused_acts.ts';

/** The maximum number of actions per call; a device with more sends several calls. */
const MAX_ACTS_PER_CALL = 100;
/** The clock error from which it is reported, in ms. */
const CLOCK_OFF_MS = 5 * 60_000;

const key = { type: 'string', pattern: '^[!-~]{8,200}$' };
const name = { type: 'string', minLength: 1, maxLength: 63 };
const moment = { type: 'string', format: 'date-time' };

const body = {
  type: 'object',
  required: ['acts'],
  additionalProperties: false,
  properties: {
    acts: {
      type: 'array',
      maxItems: MAX_ACTS_PER_CALL,
      items: {
        type: 'object',
        required: ['key', 'type', 'do', 'input'],
        additionalProperties: false,
        properties: {
          key,
          type: name,
          id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
          client_id: key,
          do: name,
          input: { type: 'object' },
          at: moment,
          title: { type: 'string', maxLength: 500 },
          instead: key,
        },
      },
    },
    now: moment,
  },
};

/** Of one type, or of one record. */
const querystring = {
  type: 'object',
  additionalProperties: false,
  properties: { type: name, id: { type: 'string', pattern: '^[1-9]\\d{0,14}$' } },
};

interface RefusedOf {
  type?: string;
  id?: string;
}

interface Sent {
  acts: OfflineAct[];
  /** The device's time when it sends. */
  now?: string;
}

/** Actions done without a network, sent by the device when it is online again, and the refused ones. */
export async function offlineRoutes(app: FastifyInstance, deps: OfflineDeps & PacketDeps): Promise<void> {
  for (const prefix of ['/tapi', '/api']) {
    app.post<{ Body: Sent }>(`${prefix}/offline`, { schema: { body } }, async ({ session, body: { acts, now } }) => {
      const ahead = now === undefined ? 0 : Date.parse(now) - Date.now();
      const data = await takeOfflineActs(deps, session, acts, ahead);
      return { data, ...(Math.abs(ahead) > CLOCK_OFF_MS && { clock_ahead: Math.round(ahead / 1000) }) };
    });
    app.get(`${prefix}/offline/packet`, async ({ session }) => ({ data: await packetOf(deps, session) }));
    app.get<{ Querystring: RefusedOf }>(`${prefix}/offline/refused`, { schema: { querystring } }, async (request) => {
      const { session, query } = request;
      const data = [];
      for (const act of await openRefused(session, query.type, query.id)) {
        // Of other people's actions only what this person may see.
        const seen = act.by === session.userId ? act : await seenRefused(deps, session, act);
        if (seen) data.push(seen);
      }
      return { data };
    });
    app.delete<{ Params: { key: string } }>(`${prefix}/offline/refused/:key`, async ({ session, params }, reply) => {
      await discardRefused(session, params.key);
      return reply.code(204).send();
    });
  }
}
