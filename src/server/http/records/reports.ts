import { formatNumber } from '../../../descriptor/format.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ReadableReport, Report, ReportAnswer } from '../../../domain/report.ts';
import { mayOpen, reportPage } from '../../access/rights/pages.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { ReportFileDeps } from '../../engine/reports/report_file.ts';
import { FILE_FORMATS, reportFile } from '../../engine/reports/report_file.ts';
import { companyChoice } from '../../engine/dashboards/chosen_company.ts';
import { offeredChoices } from '../../engine/reports/offered_choices.ts';
import { ofCompanies, runReport, takesParameter } from '../../engine/reports/run_report.ts';
import type { CustomReport, ReportScreens } from '../../platform/reports/custom_reports.ts';
import {
  customId,
  customIdAt,
  customName,
  customReports,
  mayChange,
  readCustomReport,
} from '../../platform/reports/custom_reports.ts';
import { customReportRoutes } from './custom_reports.ts';
import { noteRefusal } from './note_refusal.ts';
import { reportSubscriptionRoutes } from './report_subscriptions.ts';
import type { AuditEntry } from '../../services/audit/audit.ts';
import { authorizeAction } from '../../access/rights/authorize.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';

export interface ReportRouteDeps extends ReportFileDeps {
  reports: () => ReadonlyMap<string, Report>;
  reportScreens: ReportScreens;
  audit: (session: LiveSession, entry: Pick<AuditEntry, 'action' | 'target' | 'summary'>) => Promise<void>;
}

/** Longer sheets are recorded in the activity log, like exports of lists. */
const FEW_ROWS = 100;

/** Reports: the list for the reader, their parameters, their figures, and export as a sheet. */
export async function reportRoutes(app: FastifyInstance, deps: ReportRouteDeps): Promise<void> {
  const { reports, audit, reportScreens } = deps;

  const open = async (session: LiveSession, report: Report | undefined, custom: number | null): Promise<Report> => {
    if (custom !== null) return readCustomReport(session, custom, reportScreens);
    // The existence of a report is no secret; its content is.
    if (!report) throw notFound();
    if (!mayOpen(session, reportPage(report)))
      throw new AppError(403, 'forbidden', `Your role does not include "${report.title}".`, { reason: 'screen' });
    return report;
  };
  const named = ({ session, params }: FastifyRequest) => {
    const { name } = params as { name: string };
    return open(session as LiveSession, reports().get(name), customId(name));
  };
  await reportSubscriptionRoutes(app, { open: named });
  await customReportRoutes(app, {
    reportScreens,
    preview: (session, report) => runReport(deps, session, report, { parameters: {}, level: null, within: {} }),
    noted: (session, what, name, title) => audit(session, { action: what, target: `report ${name}`, summary: title }),
  });

  /** Includes whether the reader may export it, so that nothing is offered that would be refused. */
  const described = async (session: LiveSession, report: Report): Promise<ReadableReport> => {
    const company = await companyChoice(session, ofCompanies(report));
    const xml = deps.sources[report.source ?? '']?.xml?.title;
    return {
      ...report,
      parameters: [...(company ? [company] : []), ...offeredChoices(report, session, reportScreens.own(session))],
      exports: session.rights.refuseAction('EXPORT_DATA') === null,
      mails: session.tenant.schema !== 'public' && session.entityId !== null,
      ...(xml !== undefined && { xml }),
    };
  };

  /** A user-built report in the list; null if the reader may not list its records at all. */
  const builtReport = (session: LiveSession, row: CustomReport) => {
    const { id, content, owner_id__label: owner, shared, roles__label: roles } = row;
    const screen = reportScreens.own(session).get(content.from?.type ?? '');
    const change = mayChange(session, row);
    if (!change && (!screen || session.rights.refuse(screen, 'landing') !== null)) return [];
    return [
      {
        name: customName(id),
        title: content.title,
        description: content.description ?? null,
        icon: null,
        route: `/reports/own/${id}`,
        own: {
          id,
          owner,
          mine: row.owner_id === session.userId,
          shared,
          roles,
          version: row.version,
          mayChange: change,
        },
      },
    ];
  };

  /** Runs a report; a refusal of the records that were asked for is stored in the activity log. */
  const noting = async <T>(
    session: LiveSession,
    { name, title }: Report,
    asked: Record<string, string | undefined>,
    run: () => Promise<T>,
  ): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      await noteRefusal(deps, session, error, { target: `report ${name}`, title, asked });
      throw error;
    }
  };
  const answerOf = (request: FastifyRequest, report: Report): Promise<ReportAnswer> => {
    const { by, within, ...parameters } = request.query as Record<string, string | undefined>;
    refuseUnknown(report, parameters);
    const session = request.session as LiveSession;
    return noting(session, report, parameters, () =>
      runReport(deps, session, report, { parameters, level: by ?? null, within: rowOf(within) }),
    );
  };

  const noted = async (session: LiveSession, report: Report, { rows }: ReportAnswer) => {
    if (rows.length <= FEW_ROWS) return;
    await audit(session, {
      action: 'export',
      target: `report ${report.name}`,
      summary: `${formatNumber(rows.length)} rows`,
    });
  };

  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/report`, async (request) => {
      const session = request.session as LiveSession;
      const readable = [...reports().values()].filter((report) => mayOpen(session, reportPage(report)));
      const may = (action: string) =>
        session.tenant.schema !== 'public' && session.rights.refuseAction(action) === null;
      return {
        data: [
          ...readable.map(({ name, title, description, icon, route }) => ({
            name,
            title,
            description: description ?? null,
            icon: icon ?? null,
            route,
          })),
          ...(await customReports(session)).flatMap((row) => builtReport(session, row)),
        ],
        meta: { build: may('RUN_REPORTS'), share: may('SHARE_REPORTS') },
      };
    });

    app.get(`${prefix}/report/at`, async (request) => {
      const { route } = request.query as { route?: string };
      const session = request.session as LiveSession;
      return {
        data: await described(
          session,
          await open(
            session,
            [...reports().values()].find((report) => report.route === route),
            customIdAt(route ?? ''),
          ),
        ),
      };
    });

    app.get(`${prefix}/report/:name`, async (request) => ({
      data: await described(request.session as LiveSession, await named(request)),
    }));

    app.get(`${prefix}/report/:name/rows`, async (request) => ({
      data: await answerOf(request, await named(request)),
    }));

    for (const format of FILE_FORMATS)
      app.get(`${prefix}/report/:name/export.${format}`, async (request, reply: FastifyReply) => {
        const session = request.session as LiveSession;
        const report = await named(request);
        authorizeAction(session, 'EXPORT_DATA');
        const { by: _level, within: _row, ...parameters } = request.query as Record<string, string | undefined>;
        refuseUnknown(report, parameters);
        const { name, type, bytes, answer } = await noting(session, report, parameters, () =>
          reportFile(deps, session, report, parameters, format),
        );
        await noted(session, report, answer);
        return reply
          .type(type)
          .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
          .send(bytes);
      });
  }
}

/** @throws AppError 400 for an unknown parameter */
function refuseUnknown(report: Report, parameters: Record<string, unknown>): void {
  const unknown = Object.keys(parameters).find((name) => !takesParameter(report, name));
  if (unknown !== undefined)
    throw new AppError(400, 'bad_request', `There is no parameter "${unknown}".`, { field: unknown });
}

/** The expanded row, by columns. */
function rowOf(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {};
  try {
    const row: unknown = JSON.parse(text);
    const plain = (value: unknown) =>
      value === null ||
      typeof value === 'number' ||
      typeof value === 'boolean' ||
      (typeof value === 'string' && !value.includes('\0'));
    if (row !== null && typeof row === 'object' && !Array.isArray(row) && Object.values(row).every(plain))
      return row as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new AppError(400, 'bad_request', 'within is an object of columns and values.', { field: 'within' });
}
