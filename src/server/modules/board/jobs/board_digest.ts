import { formatDate } from '../../../../descriptor/format.ts';
import type { Job, Services } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import type { PrintContent } from '../../../services/print/print_content.ts';

/** The figures of the digest are those of a dashboard; of somebody with both, of the first. */
const DASHBOARDS = [
  {
    name: 'board_dashboard',
    link: '/BoardDashBoard',
    sections: [
      ['Score', 'score'],
      ['Off target', 'exceptions'],
      ['Compliance', 'compliance'],
      ['Overdue filings', 'filings_overdue'],
      ['Late fees and interest', 'exposure'],
      ['Violated rules', 'findings_list'],
      ['Next meetings', 'next_meetings'],
    ],
  },
  {
    name: 'committee_board',
    link: '/CommitteeDashboard',
    sections: [
      ['Score', 'score'],
      ['Off target', 'exceptions'],
      ['Violated rules', 'findings'],
      ['Areas overseen', 'overseen'],
      ['Next meetings', 'next_meetings'],
    ],
  },
] as const;

/** Questions that the digest lists at most. */
const MAX_QUESTIONS = 8;

interface Reader extends Record<string, unknown> {
  id: number;
}

/** Chairmen and CEOs of a company, and the members of its units who want the digest. */
function readersOf(unit: Unit, company: number): Promise<Reader[]> {
  return unit.query<Reader>(
    `select distinct u.id from {users} u join {users.companies} c on c.parent_id = u.id and c.entity_id = $1
     where u.active and u.status = 'active' and (u.chairman_flag or u.ceo_flag or exists (
       select 1 from {board_member} m join {board_tenure} t on t.board_member_id = m.id and t.state = 'active' and t.active
       join {board_position} p on p.id = t.seat_id and p.entity_id = $1 left join {employee} e on e.id = m.employee_id
       where m.active and m.wants_digest and coalesce(m.user_id, e.user_id) = u.id)) order by u.id`,
    [company],
  );
}

const STATES: Readonly<Record<string, string>> = { asked: 'open', reopened: 'asked again', answered: 'answered' };

/** The questions that a person has asked or is to answer and that are not closed, in words. */
async function questionsOf(unit: Unit, company: number, user: number): Promise<string> {
  const rows = await unit.query<{ figure: string | null; question: string; state: string; due_on: string | null }>(
    `select q.figure, q.question, q.state, q.due_on::text from {board_query} q left join {employee} e on e.id = q.to_id
     where q.entity_id = $1 and q.active and q.state in ('asked', 'reopened', 'answered') and (q.created_by = $2 or e.user_id = $2)
     order by q.due_on nulls last, q.id limit ${MAX_QUESTIONS}`,
    [company, user],
  );
  return rows
    .map(({ figure, question, state, due_on: due }) =>
      [figure, question, STATES[state], state === 'answered' || due === null ? null : `by ${formatDate(due)}`]
        .filter((one) => one !== null)
        .join(' · '),
    )
    .join('\n');
}

/** What a person sees on their dashboard, in words; null = they may open none, or it says nothing. */
async function summaryFor(unit: Unit, services: Services) {
  for (const { name, link, sections } of DASHBOARDS) {
    const parts: { title: string; value: string }[] = [];
    for (const [title, tile] of sections) {
      const found = await services.figure(unit.session, { dashboard: name, tile, filters: '' });
      if (found && found.value !== 'None' && found.value !== '0') parts.push({ title, value: found.value });
    }
    if (parts.length > 0) return { link, parts };
  }
  return null;
}

const wordsOf = (parts: readonly { title: string; value: string }[]): string =>
  parts
    .map(({ title, value }) =>
      value.includes('\n') || title === 'My questions' ? `${title}:\n${value}` : `${title}: ${value}`,
    )
    .join('\n\n');

/** Whether the digest of the company is attached as a PDF too. */
async function isPrinted(unit: Unit): Promise<boolean> {
  const [known] = await unit.query<{ there: boolean }>(`select to_regclass('{board_setting}') is not null as there`);
  if (!known!.there) return false;
  const [stored] = await unit.query<{ digest_pdf: boolean | null }>('select digest_pdf from {board_setting} limit 1');
  return stored?.digest_pdf === true;
}

/** The digest on a page. */
function onPaper(
  { title, company, at }: { title: string; company: string; at: string },
  parts: readonly { title: string; value: string }[],
): PrintContent {
  const lines = parts.filter(({ value }) => value.includes('\n'));
  const figures = parts.filter(({ value }) => !value.includes('\n'));
  return {
    title,
    paper: 'A4',
    landscape: false,
    at,
    watermark: null,
    foot: `${company} · ${title}`,
    blocks: [
      { kind: 'heading', text: title },
      ...(figures.length > 0
        ? [
            {
              kind: 'box',
              columns: 2,
              entries: figures.map(({ title: name, value }) => ({ title: name, text: value })),
            } as const,
          ]
        : []),
      ...lines.map(({ title: name, value }) => ({
        kind: 'list' as const,
        title: name,
        entries: value.split('\n').map((text) => ({ title: null, text })),
      })),
    ],
  };
}

/** Every Monday, mails the board's figures to those who read them, each as they see them (board.md §6). */
export const boardDigest: Job = {
  elevated: true,
  async run({ company, due, services, each }) {
    if (company === null) return;
    let sent = 0;
    await each<Reader>(
      async (unit, after) => (after === null || after === undefined ? readersOf(unit, company) : []),
      async (person, readers) => {
        const printed = await isPrinted(person.elevated());
        for (const { id } of readers) {
          const reader = await person.as(id);
          const summary = reader && (await summaryFor(reader, services));
          if (!summary) continue;
          const questions = await questionsOf(person.elevated(), company, id);
          if (questions !== '') summary.parts.push({ title: 'My questions', value: questions });
          const day = formatDate(due.slice(0, 10));
          const { tenant } = person.session;
          const content = printed
            ? onPaper({ title: `Board digest of ${day}`, company: tenant.name, at: due }, summary.parts)
            : null;
          await person.elevated().notify({
            event: 'board.digest',
            to: [id],
            entityId: company,
            link: summary.link,
            values: { day, summary: wordsOf(summary.parts) },
            ...(content && {
              files: [
                {
                  filename: `Board digest ${due.slice(0, 10)}.pdf`,
                  content: await services.pdf(tenant, content),
                  contentType: 'application/pdf',
                },
              ],
            }),
          });
          sent++;
        }
        return readers.at(-1)!.id;
      },
    );
    return `${sent} ${sent === 1 ? 'digest' : 'digests'} sent.`;
  },
};
