import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Screen } from '../../../descriptor/types.ts';
import { authorize, authorizeAny } from '../../access/rights/authorize.ts';
import type { Session } from '../../access/context.ts';
import { notFound } from '../../db/errors.ts';
import type { Tenant } from '../../db/tenant.ts';
import { MAX_ANSWERS } from '../../engine/questionnaire/answer_rows.ts';
import type { SentAnswer } from '../../engine/questionnaire/answer_rows.ts';
import type { AnswerSheets } from '../../engine/questionnaire/answers.ts';
import { neededTypes } from '../../engine/records/needed_types.ts';

export interface AnswerRouteDeps {
  sheets: AnswerSheets;
  product: () => Map<string, Screen>;
  screens: (session: Session) => Map<string, Screen>;
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
}

const MOMENT = '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?Z$';

type Of = { Params: { type: string; id: string; field: string } };

/** The body of a call that gives answers. */
export const sentAnswers = {
  type: 'object',
  required: ['answers'],
  properties: {
    answers: {
      type: 'array',
      maxItems: MAX_ANSWERS,
      items: {
        type: 'object',
        required: ['code', 'at', 'client', 'seq'],
        properties: {
          code: { type: 'string', minLength: 1, maxLength: 80 },
          value: { description: 'In the format of the question type; null removes the answer.' },
          na: { type: 'boolean' },
          at: { type: 'string', pattern: MOMENT, description: 'When it was given, on the device, in UTC.' },
          client: { type: 'string', minLength: 1, maxLength: 60, description: 'Which device.' },
          seq: { type: 'integer', minimum: 0, description: 'Sequence number of the answer on the device.' },
        },
      },
    },
  },
};

/** Questionnaires of records: the questions, the answers, and saving one answer after the other. */
export async function answerRoutes(
  app: FastifyInstance,
  { sheets, product, screens, ensure }: AnswerRouteDeps,
): Promise<void> {
  async function subject(request: FastifyRequest<Of>): Promise<{ session: Session; screen: Screen; id: number }> {
    const { session } = request;
    const screen = screens(session).get(request.params.type);
    const id = Number(request.params.id);
    if (!screen || !Number.isSafeInteger(id) || id < 1) throw notFound();
    if ((screen.scope === 'platform') !== (session.tenant.schema === 'public')) throw notFound();
    authorizeAny(session, screen, ['view_screen', 'edit_screen', 'approval_screen']);
    await ensure(session.tenant, neededTypes(product(), screen));
    return { session, screen, id };
  }

  for (const prefix of ['/tapi', '/api']) {
    const at = `${prefix}/:type/:id/answers/:field`;
    app.get<Of>(at, async (request) => {
      const { session, screen, id } = await subject(request);
      return { data: await sheets.read(session, screen, id, request.params.field) };
    });
    app.patch<Of & { Body: { answers: SentAnswer[] } }>(at, { schema: { body: sentAnswers } }, async (request) => {
      const { session, screen, id } = await subject(request);
      authorize(session, screen, 'edit_screen', screen.access.action);
      return { data: await sheets.save(session, screen, id, request.params.field, request.body.answers) };
    });
  }
}
