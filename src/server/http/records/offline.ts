import type { FastifyInstance } from 'fastify';
import type { OfflineAct, OfflineDeps } from '../../engine/offline/offline_acts.ts';
import { takeOfflineActs } from '../../engine/offline/offline_acts.ts';

/** Acts of one call; a device with more sends them one call after the other. */
const MAX_ACTS_PER_CALL = 100;

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
        required: ['key', 'type', 'id', 'do', 'input'],
        additionalProperties: false,
        properties: {
          key: { type: 'string', pattern: '^[!-~]{8,200}$' },
          type: { type: 'string', minLength: 1, maxLength: 63 },
          id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
          do: { type: 'string', minLength: 1, maxLength: 63 },
          input: { type: 'object' },
        },
      },
    },
  },
};

/** What people did without a network, as their device sends it when it is back. */
export async function offlineRoutes(app: FastifyInstance, deps: OfflineDeps): Promise<void> {
  for (const prefix of ['/tapi', '/api'])
    app.post<{ Body: { acts: OfflineAct[] } }>(
      `${prefix}/offline`,
      { schema: { body } },
      async ({ session, body: { acts } }) => ({ data: await takeOfflineActs(deps, session, acts) }),
    );
}
