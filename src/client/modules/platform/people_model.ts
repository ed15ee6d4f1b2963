import { formatDate } from '../../../descriptor/format.ts';
import type { OpenTask } from '../../../domain/open_task.ts';

/** One person of a team as `GET /tapi/my_team` tells it. */
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
  /** Stands in for the person today, and until when. */
  deputy: string | null;
  away_until: string | null;
  /** Levels below oneself; 0 = oneself. */
  depth: number;
  manager_id: number | null;
  manager: string | null;
  designation: string | null;
  department: string | null;
  branch: string | null;
  /** Only where it is not the company one works in. */
  company: string | null;
  /** What they have still to do, of the lists one may open. */
  tasks?: OpenTask[];
}

/** How much somebody has to do, in words; empty = nothing that is known. */
export function taskWords({ tasks = [] }: TeamPerson): string {
  const [open, late] = [
    tasks.reduce((sum, task) => sum + task.open, 0),
    tasks.reduce((sum, task) => sum + task.late, 0),
  ];
  if (open === 0) return '';
  return `${open} to do${late > 0 ? `, ${late} late` : ''}`;
}

/** How far below somebody stands, in words. */
export function depthWords(depth: number): string {
  return depth === 1 ? 'Direct' : `${depth} levels below`;
}

/** Everybody below the person who stands above them, each branch to its end; among siblings as the list has them. */
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

/** Those who fit what is typed, by name, number, designation, department, branch or manager. */
export function matching(people: TeamPerson[], text: string): TeamPerson[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return people;
  return people.filter((person) =>
    [person.name, person.empno, person.designation, person.department, person.branch, person.manager].some((value) =>
      value?.toLowerCase().includes(wanted),
    ),
  );
}

/** What is special about somebody today: on notice, away with a deputy. */
export function teamNotes({ status, last_working_day: last, deputy, away_until: until }: TeamPerson): string[] {
  const notes: string[] = [];
  if (status === 'on_notice') notes.push(last ? `on notice until ${formatDate(last)}` : 'on notice');
  if (deputy) notes.push(`away${until ? ` until ${formatDate(until)}` : ''}, deputy ${deputy}`);
  return notes;
}
