import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Report, ReportAnswer } from '../../../domain/report.ts';
import { authorizeAction } from '../../access/rights/authorize.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { AskedReport, ReportScreens } from '../../platform/reports/custom_reports.ts';
import {
  SHARINGS,
  addCustomReport,
  changeCustomReport,
  checkedReport,
  customName,
  customReport,
  mayChange,
  readCustomReport,
  removeCustomReport,
} from '../../platform/reports/custom_reports.ts';
import { possibleRecipients } from '../../platform/reports/subscriptions.ts';

const BODY = {
  type: 'object',
  required: ['report'],
  additionalProperties: false,
  properties: {
    report: { type: 'object' },
    shared: { enum: [...SHARINGS] },
    roles: { type: 'array', maxItems: 50, items: { type: 'integer', minimum: 1 } },
    version: { type: 'integer', minimum: 1 },
  },
} as const;

/** What the calls about reports that people build need. */
export interface CustomReportDeps {
  reportScreens: ReportScreens;
  /** The figures of a report that is not saved. */
  preview(session: LiveSession, report: Report): Promise<ReportAnswer>;
  noted(session: LiveSession, what: 'create' | 'update' | 'delete', name: string, title: string): Promise<void>;
}

/** The report builder: preview, save, load, change and delete a report. */
export async function customReportRoutes(
  app: FastifyInstance,
  { reportScreens, preview, noted }: CustomReportDeps,
): Promise<void> {
  const numberOf = ({ params }: FastifyRequest): number => {
    const { id } = params as { id: string };
    if (!/^\d{1,15}$/.test(id)) throw notFound();
    return Number(id);
  };
  const asked = ({ body }: FastifyRequest): AskedReport => ({
    shared: 'own',
    roles: [],
    ...(body as Pick<AskedReport, 'report'>),
  });

  for (const prefix of ['/tapi', '/api']) {
    const at = `${prefix}/report/own`;
    app.post(`${at}/preview`, { schema: { body: BODY } }, async (request) => {
      const session = request.session as LiveSession;
      const { report } = checkedReport(session, asked(request).report, reportScreens);
      return { data: { report, answer: await preview(session, report) } };
    });

    app.get(`${at}/roles`, async (request) => {
      authorizeAction(request.session as LiveSession, 'SHARE_REPORTS');
      const { search = '' } = request.query as { search?: string };
      const { roles } = await possibleRecipients(
        request.session as LiveSession,
        search.slice(0, 100).replaceAll('\0', ''),
      );
      return { data: roles };
    });

    app.post(at, { schema: { body: BODY } }, async (request, reply) => {
      const session = request.session as LiveSession;
      const one = asked(request);
      const id = await addCustomReport(session, one, reportScreens);
      await noted(session, 'create', customName(id), String(one.report.title));
      return reply.code(201).send({ data: { id, name: customName(id), route: `/reports/own/${id}` } });
    });

    app.get(`${at}/:id`, async (request) => {
      const session = request.session as LiveSession;
      const row = await customReport(session, numberOf(request));
      // A reader who may not see its fields gets nothing; its owner can repair a report with missing fields.
      const may = mayChange(session, row);
      const { content, ...rest } = row;
      if (!may) await readCustomReport(session, row.id, reportScreens);
      return { data: { ...rest, report: content, mayChange: may } };
    });

    app.put(`${at}/:id`, { schema: { body: BODY } }, async (request) => {
      const session = request.session as LiveSession;
      const id = numberOf(request);
      const { version } = request.body as { version?: number };
      if (version === undefined)
        throw new AppError(400, 'bad_request', 'Say which version is changed.', { field: 'version' });
      const one = asked(request);
      const saved = await changeCustomReport(session, id, version, one, reportScreens);
      await noted(session, 'update', customName(id), String(one.report.title));
      return { data: { id, version: saved } };
    });

    app.delete(`${at}/:id`, async (request, reply) => {
      const session = request.session as LiveSession;
      const { id, content } = await removeCustomReport(session, numberOf(request));
      await noted(session, 'delete', customName(id), content.title);
      return reply.code(204).send();
    });
  }
}
