import { formatDate } from '../../../../descriptor/format.ts';
import type { Job, Services } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';

/** The figures of the digest are those of a dashboard; of somebody with both, of the first. */
const DASHBOARDS = [
  {
    name: 'board_dashboard',
    link: '/BoardDashBoard',
    sections: [
      ['Score', 'score'],
      ['Off target', 'exceptions'],
      ['Overdue filings', 'filings_overdue'],
      ['Late fees and interest', 'exposure'],
      ['Violated rules', 'findings_list'],
      ['Next meetings', 'next_meetings'],
      ['Questions', 'questions'],
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
      ['Questions', 'questions'],
    ],
  },
] as const;

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

/** What a person sees on their dashboard, in words; null = they may open none, or it says nothing. */
async function summaryFor(unit: Unit, services: Services) {
  for (const { name, link, sections } of DASHBOARDS) {
    const parts: string[] = [];
    for (const [title, tile] of sections) {
      const found = await services.figure(unit.session, { dashboard: name, tile, filters: '' });
      if (found && found.value !== 'None' && found.value !== '0')
        parts.push(found.value.includes('\n') ? `${title}:\n${found.value}` : `${title}: ${found.value}`);
    }
    if (parts.length > 0) return { link, text: parts.join('\n\n') };
  }
  return null;
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
        for (const { id } of readers) {
          const reader = await person.as(id);
          const summary = reader && (await summaryFor(reader, services));
          if (!summary) continue;
          await person.elevated().notify({
            event: 'board.digest',
            to: [id],
            entityId: company,
            link: summary.link,
            values: { day: formatDate(due.slice(0, 10)), summary: summary.text },
          });
          sent++;
        }
        return readers.at(-1)!.id;
      },
    );
    return `${sent} ${sent === 1 ? 'digest' : 'digests'} sent.`;
  },
};
