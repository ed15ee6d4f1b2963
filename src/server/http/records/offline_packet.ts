import type { PageType, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { PacketPart } from '../../../descriptor/words/offline.ts';
import type { Session } from '../../access/context.ts';
import { AppError } from '../../db/errors.ts';
import type { OfflineDeps } from '../../engine/offline/offline_acts.ts';
import type { AnswerSheet, AnswerSheets } from '../../engine/questionnaire/answers.ts';
import { parseListQuery } from '../../engine/records/list_query.ts';
import { withoutHidden } from './hidden_fields.ts';
import { wholeRecord } from './whole_record.ts';

/** The maximum size of a packet. */
const MAX_OF_TYPE = 200;
const MAX_RECORDS = 500;
const MAX_BYTES = 8 * 1024 * 1024;

export interface PacketDeps extends Pick<OfflineDeps, 'engine' | 'screens' | 'ensure'> {
  sheets: AnswerSheets;
}

/** The records stored by a device. */
export interface Packet {
  as_of: string;
  /** `more`: there are more visible records than a device stores. */
  types: { type: string; more: boolean; records: WireRecord[] }[];
  /** Questionnaires of the records, by their address. */
  sheets: Record<string, AnswerSheet>;
}

/** Collects the data for this person's device, by their current rights, each record as its page receives it. */
export async function packetOf(deps: PacketDeps, session: Session): Promise<Packet> {
  const screens = deps.screens(session);
  const packet: Packet = { as_of: new Date().toISOString(), types: [], sheets: {} };
  const may = (screen: Screen, ...pages: PageType[]) =>
    pages.some((page) => session.rights.refuse(screen, page) === null);
  const isReadable = (screen: Screen | undefined): screen is Screen =>
    screen !== undefined &&
    (screen.scope === 'platform') === (session.tenant.schema === 'public') &&
    may(screen, 'view_screen', 'edit_screen');
  let records = 0;
  let bytes = 0;
  const keep = async (screen: Screen, rows: readonly WireRecord[], isMore: boolean): Promise<void> => {
    let part = packet.types.find(({ type }) => type === screen.name);
    if (!part) packet.types.push((part = { type: screen.name, more: false, records: [] }));
    part.more ||= isMore;
    for (const row of rows) {
      if (part.records.some(({ id }) => id === row.id)) continue;
      try {
        const whole = await wholeRecord(deps.engine, session, screen, row.id);
        const record = withoutHidden(screen, { ...row, ...whole });
        const sheets = await sheetsOf(deps.sheets, session, screen, row.id);
        const size = Buffer.byteLength(JSON.stringify([record, sheets]));
        if (part.records.length >= MAX_OF_TYPE || records >= MAX_RECORDS || bytes + size > MAX_BYTES) {
          part.more = true;
          return;
        }
        records++;
        bytes += size;
        part.records.push(record);
        Object.assign(packet.sheets, sheets);
      } catch (error) {
        // Deleted, or hidden from this person, since the list was read.
        if (!(error instanceof AppError) || ![403, 404].includes(error.status)) throw error;
      }
    }
  };
  for (const owner of screens.values()) {
    if (!owner.offline?.packet || !isReadable(owner)) continue;
    // Records come before those that they refer to.
    const steps = ({ via }: PacketPart) => via?.split('.').length ?? 0;
    for (const part of owner.offline.packet.toSorted((a, b) => steps(a) - steps(b))) {
      const screen = screens.get(part.type);
      if (!isReadable(screen) || !may(screen, 'landing')) continue;
      await deps.ensure(session, screen);
      const [first, second] = part.via?.split('.') ?? [];
      const from = second === undefined ? owner.name : owner.fields.find(({ name }) => name === first)?.ref?.type;
      const owners = packet.types.find(({ type }) => type === from)?.records ?? [];
      const { data, isMore } = await listed(deps, session, screen, { ...part, via: second ?? first }, owners);
      await keep(screen, data, isMore);
    }
  }
  return packet;
}

/** The rows of a part: by its filter, or by the references of its owner's records. */
async function listed(
  { engine }: PacketDeps,
  session: Session,
  screen: Screen,
  { filter, via }: { filter?: PacketPart['filter']; via: string | undefined },
  owners: readonly WireRecord[],
): Promise<{ data: WireRecord[]; isMore: boolean }> {
  const query = { size: String(MAX_OF_TYPE), count: 'none', columns: '*' };
  if (via === undefined) {
    const asked = { ...query, ...(filter && { filter: JSON.stringify(filter) }) };
    const { data, cursor } = await engine.list(session, screen, parseListQuery(asked, screen));
    return { data, isMore: cursor !== null };
  }
  const ids = [...new Set(owners.flatMap((owner) => owner[via] as number | number[] | null))].filter(Number);
  if (ids.length === 0) return { data: [], isMore: false };
  const asked = { ...query, active: 'all', ids: ids.slice(0, MAX_OF_TYPE).join(',') };
  const { data } = await engine.list(session, screen, parseListQuery(asked, screen));
  return { data, isMore: ids.length > MAX_OF_TYPE };
}

async function sheetsOf(
  sheets: AnswerSheets,
  session: Session,
  screen: Screen,
  id: number,
): Promise<Record<string, AnswerSheet>> {
  const found: Record<string, AnswerSheet> = {};
  for (const { name, type } of screen.fields)
    if (type === 'answers')
      found[`/tapi/${screen.name}/${id}/answers/${name}`] = await sheets.read(session, screen, id, name);
  return found;
}
