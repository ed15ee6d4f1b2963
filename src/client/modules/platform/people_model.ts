import { formatDate } from '../../../descriptor/format.ts';
import type { OpenTask } from '../../../domain/open_task.ts';

/** One person of a team, as in `GET /tapi/my_team`. */
export interface TeamPerson {
  id: number;
  empno: string;
  name: string;
  photo: number | null;
  status: string;
  mobile: string | null;
  work_email: string | null;
  date_of_joining: string | null;
  last_working_day: string | null;
  /** The person's deputy today, and the last day. */
  deputy: string | null;
  away_until: string | null;
  /** The last day of the person's leave, if they are on leave today. */
  on_leave_until: string | null;
  /** Number of levels below the user; 0 = the user. */
  depth: number;
  manager_id: number | null;
  manager: string | null;
  designation: string | null;
  department: string | null;
  branch: string | null;
  /** Only if it is not the current company. */
  company: string | null;
  /** The person's open work in the lists that the user may open. */
  tasks?: OpenTask[];
}

/** The amount of open work in words; empty = none known. */
export function taskWords({ tasks = [] }: TeamPerson): string {
  const [open, late] = [
    tasks.reduce((sum, task) => sum + task.open, 0),
    tasks.reduce((sum, task) => sum + task.late, 0),
  ];
  if (open === 0) return '';
  return `${open} to do${late > 0 ? `, ${late} late` : ''}`;
}

/** The distance in the reporting tree in words. */
export function depthWords(depth: number): string {
  return depth === 1 ? 'Direct' : `${depth} levels below`;
}

/** People in depth-first order below their managers; siblings keep the order of the list. */
export function inOrder(people: TeamPerson[]): TeamPerson[] {
  const ids = new Set(people.map(({ id }) => id));
  const below = new Map<number | null, TeamPerson[]>();
  for (const person of people) {
    const above = person.manager_id !== null && ids.has(person.manager_id) ? person.manager_id : null;
    const list = below.get(above);
    if (list) list.push(person);
    else below.set(above, [person]);
  }
  const ordered: TeamPerson[] = [];
  const walk = (above: number | null) => {
    for (const person of below.get(above) ?? []) {
      ordered.push(person);
      walk(person.id);
    }
  };
  walk(null);
  return ordered;
}

/** People who match the search by name, number, designation, department, branch or manager. */
export function matching(people: TeamPerson[], text: string): TeamPerson[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return people;
  return people.filter((person) =>
    [person.name, person.empno, person.designation, person.department, person.branch, person.manager].some((value) =>
      value?.toLowerCase().includes(wanted),
    ),
  );
}

/** A person's special state today: on notice, on leave, or away with a deputy. */
export function teamNotes({
  status,
  last_working_day: last,
  deputy,
  away_until: until,
  on_leave_until: leave,
}: TeamPerson): string[] {
  const notes: string[] = [];
  if (status === 'on_notice') notes.push(last ? `on notice until ${formatDate(last)}` : 'on notice');
  if (leave) notes.push(`on leave until ${formatDate(leave)}`);
  if (deputy) notes.push(`away${until ? ` until ${formatDate(until)}` : ''}, deputy ${deputy}`);
  return notes;
}
