import { Readable } from 'node:stream';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { childTable, tableName } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import { FileStore } from '../../services/files/store.ts';

const MEETING = 'board_meeting';
const TERM = 'board_tenure';
const TYPE = 'board_type';
const MAX_BYTES = 1024 * 1024;
/** Agenda items that have their paper, the latest first. */
const PAPERS = 12;

/** A page with the subject of an agenda item. */
async function paperOf(lines: readonly string[]): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const page = document.addPage();
  for (const [at, line] of lines.entries())
    page.drawText(line, { x: 60, y: 760 - at * 24, size: at === 0 ? 18 : 11, font });
  return Buffer.from(await document.save());
}

/** Saves a page as a file of a field. @returns its id */
async function savePaper(
  files: FileStore,
  {
    tenant,
    name,
    lines,
    by,
    of,
  }: { tenant: Tenant; name: string; lines: readonly string[]; by: number | null; of: string },
): Promise<number> {
  const content = await paperOf(lines);
  const { id } = await files.save({ tenant, userId: by ?? 0 } as Session, `${name}.pdf`, Readable.from([content]), of);
  return id;
}

/** Attaches papers to agenda items of meetings that have taken place, and the consents of directors to their terms. */
export async function addBoardPapers(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  dataDir: string,
): Promise<void> {
  const files = new FileStore(dataDir, MAX_BYTES);
  if (screens.has(TERM)) await addConsents(tenant, files);
  if (screens.has(TYPE)) await addCharterTemplates(tenant, files);
  if (!screens.has(MEETING)) return;
  const agenda = childTable(tenant.schema, MEETING, 'agenda');
  const items = await tenant.db.query<{ id: number; item: string; unit: string; day: string; by: number | null }>(
    `select a.id, a.item, u.name as unit, m.held_on::text as day, s.user_id as by from ${agenda} a
     join ${tableName(tenant.schema, MEETING)} m on m.id = a.parent_id join ${tableName(tenant.schema, 'board_unit')} u on u.id = m.unit_id
     left join ${tableName(tenant.schema, 'employee')} s on s.id = m.secretary_id
     where a.paper is null and a.item is not null and m.state in ('held', 'minuted', 'entered') order by m.held_on desc, a.id limit ${PAPERS}`,
  );
  for (const { id, item, unit, day, by } of items) {
    const lines = [item, `Paper for the meeting of ${unit} on ${day}`];
    const file = await savePaper(files, { tenant, name: item, lines, by, of: `${MEETING}.agenda.paper` });
    await tenant.db.query(`update ${agenda} set paper = $2 where id = $1`, [id, file]);
  }
}

/** Types of committees have a charter from which their units start. */
async function addCharterTemplates(tenant: Tenant, files: FileStore): Promise<void> {
  const table = tableName(tenant.schema, TYPE);
  const types = await tenant.db.query<{ id: number; name: string; source: string | null }>(
    `select id, name, source from ${table} where kind = 'committee' and charter_template is null order by id`,
  );
  for (const { id, name, source } of types) {
    const lines = [
      `Charter: ${name}`,
      'Purpose, members, quorum, meetings, powers, reports to the board',
      source ?? '',
    ];
    const file = await savePaper(files, {
      tenant,
      name: `Charter ${name}`,
      lines,
      by: null,
      of: `${TYPE}.charter_template`,
    });
    await tenant.db.query(`update ${table} set charter_template = $2 where id = $1`, [id, file]);
  }
}

/** Every approved term of a director has a consent, as the approval requires. */
async function addConsents(tenant: Tenant, files: FileStore): Promise<void> {
  const terms = tableName(tenant.schema, TERM);
  const table = (type: string) => tableName(tenant.schema, type);
  const directors = await tenant.db.query<{
    id: number;
    name: string;
    company: string;
    day: string;
    by: number | null;
  }>(
    `select t.id, m.name, c.legal_name as company, t.from_date::text as day, s.user_id as by from ${terms} t
     join ${table('board_position')} p on p.id = t.seat_id join ${table('board_designation')} d on d.id = p.designation_id and d.is_director
     join ${table('board_member')} m on m.id = t.board_member_id join ${table('entity')} c on c.id = p.entity_id
     left join ${table('employee')} s on s.id = t.secretary_id
     where t.consent is null and t.state in ('approved', 'active', 'ended') order by t.id`,
  );
  for (const { id, name, company, day, by } of directors) {
    const lines = [`Consent of ${name} (DIR-2)`, `I consent to act as director of ${company} from ${day}.`, name];
    const file = await savePaper(files, { tenant, name: `DIR-2 ${name}`, lines, by, of: `${TERM}.consent` });
    await tenant.db.query(`update ${terms} set consent = $2 where id = $1`, [id, file]);
  }
}
