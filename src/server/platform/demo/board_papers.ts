import { Readable } from 'node:stream';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { childTable, tableName } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import { FileStore } from '../../services/files/store.ts';

const MEETING = 'board_meeting';
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

/** Attaches papers to agenda items of meetings that have taken place. */
export async function addBoardPapers(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  dataDir: string,
): Promise<void> {
  if (!screens.has(MEETING)) return;
  const agenda = childTable(tenant.schema, MEETING, 'agenda');
  const items = await tenant.db.query<{ id: number; item: string; unit: string; day: string; by: number | null }>(
    `select a.id, a.item, u.name as unit, m.held_on::text as day, s.user_id as by from ${agenda} a
     join ${tableName(tenant.schema, MEETING)} m on m.id = a.parent_id join ${tableName(tenant.schema, 'board_unit')} u on u.id = m.unit_id
     left join ${tableName(tenant.schema, 'employee')} s on s.id = m.secretary_id
     where a.paper is null and a.item is not null and m.state in ('held', 'minuted', 'entered') order by m.held_on desc, a.id limit ${PAPERS}`,
  );
  const files = new FileStore(dataDir, MAX_BYTES);
  for (const { id, item, unit, day, by } of items) {
    const content = await paperOf([item, `Paper for the meeting of ${unit} on ${day}`]);
    const { id: file } = await files.save(
      { tenant, userId: by ?? 0 } as Session,
      `${item}.pdf`,
      Readable.from([content]),
      `${MEETING}.agenda.paper`,
    );
    await tenant.db.query(`update ${agenda} set paper = $2 where id = $1`, [id, file]);
  }
}
