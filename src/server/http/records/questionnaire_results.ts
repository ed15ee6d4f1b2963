import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as XLSX from 'xlsx';
import type { Screen } from '../../../descriptor/types.ts';
import { authorizeAction, authorizeAny } from '../../access/rights/authorize.ts';
import type { Session } from '../../access/context.ts';
import { notFound } from '../../db/errors.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { QuestionnaireSummary } from '../../../domain/questionnaire/results.ts';
import type { QuestionnaireResults } from '../../engine/questionnaire/results.ts';
import { neededTypes } from '../../engine/records/needed_types.ts';

export interface ResultRouteDeps {
  results: QuestionnaireResults;
  product: () => Map<string, Screen>;
  screens: (session: Session) => Map<string, Screen>;
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
}

type Of = { Params: { type: string; id: string }; Querystring: { by?: string } };

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Results of questionnaires: figures by question, cross tabulations, single answers, and everything as a workbook. */
export async function questionnaireResultRoutes(
  app: FastifyInstance,
  { results, product, screens, ensure }: ResultRouteDeps,
): Promise<void> {
  async function subject({ session, params }: FastifyRequest<Of>) {
    const screen = screens(session).get(params.type);
    const id = Number(params.id);
    if (!screen?.questionnaire || !Number.isSafeInteger(id) || id < 1) throw notFound();
    authorizeAny(session, screen, ['view_screen', 'edit_screen']);
    await ensure(session.tenant, neededTypes(product(), screen));
    return { session, screen, id };
  }

  for (const prefix of ['/tapi', '/api']) {
    app.get<Of>(`${prefix}/:type/:id/results`, async (request) => {
      const { session, screen, id } = await subject(request);
      return { data: await results.read(session, screen, id, request.query.by ?? null) };
    });
    app.get<Of>(`${prefix}/:type/:id/results/answers`, async (request) => {
      const { session, screen, id } = await subject(request);
      return { data: await results.lines(session, screen, id) };
    });
    app.get<Of>(`${prefix}/:type/:id/results/export.xlsx`, async (request, reply) => {
      const { session, screen, id } = await subject(request);
      authorizeAction(session, 'EXPORT_DATA');
      const found = await results.read(session, screen, id, request.query.by ?? null);
      const single = found.least > 0 ? null : await results.lines(session, screen, id);
      return reply
        .type(WORKBOOK)
        .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(`${found.title}.xlsx`)}`)
        .send(workbookOf(found, single));
    });
  }
}

type Cells = (string | number | null)[][];

/** Figures by question, the requested groups, and single answers if people are named. */
function workbookOf(
  found: QuestionnaireSummary,
  single: Awaited<ReturnType<QuestionnaireResults['lines']>> | null,
): Buffer {
  const book = XLSX.utils.book_new();
  const add = (name: string, cells: Cells) => XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(cells), name);
  const few = `fewer than ${found.least}`;
  const summary: Cells = [
    ['Questionnaire', found.title],
    ['Handed in', found.answered ?? few],
    ['Begun', found.open],
    ...found.score.map(({ title, value }) => [`Score: ${title}`, Number(value)]),
    [],
    ['Code', 'Question', 'Answers', 'Not applicable', 'Value', 'n', '%'],
  ];
  for (const { code, text, n, na, bars, figures, table } of found.questions) {
    summary.push([code, text, n ?? few, na]);
    for (const bar of bars)
      summary.push([code, null, null, null, bar.label, bar.n, bar.percent === null ? null : Number(bar.percent)]);
    for (const { title, value } of figures) summary.push([code, null, null, null, title, value]);
    if (table) {
      summary.push([code, null, null, null, null, ...table.columns]);
      for (const { label, cells } of table.rows) summary.push([code, null, null, null, label, ...cells]);
    }
  }
  add('Summary', summary);
  const texts: Cells = found.questions.flatMap(({ code, texts: all }) => all.map((text) => [code, text]));
  if (texts.length > 0) add('Texts', [['Code', 'Text'], ...texts]);
  if (found.cross)
    add(
      'Compared',
      found.cross.flatMap(({ text, columns, rows, test }): Cells => [
        [text],
        [null, ...columns, 'n'],
        ...rows.map(({ label, counts, n }) => [label, ...(counts ?? columns.map(() => few)), n ?? few]),
        ...(test ? [[`χ² ${test.chi2}, df ${test.df}, p ${test.p}${test.isReliable ? '' : ', not reliable'}`]] : []),
        [],
      ]),
    );
  if (single)
    add('Answers', [
      ['Record', 'Score', ...single.questions.map(({ text }) => text)],
      ...single.lines.map(({ title, score, answers }) => [
        title,
        score === null ? null : Number(score),
        ...single.questions.map(({ code }) => answers[code] ?? null),
      ]),
    ]);
  return XLSX.write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer;
}
