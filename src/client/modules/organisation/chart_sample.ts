import type { ChartPerson } from '../../../domain/organisation/chart_tree.ts';
import { listedPerson } from '../../../domain/organisation/chart_tree.ts';

/** The sample shown before a list is pasted. */
export const SAMPLE = `1, Asha Rao, , Managing director
2, Ravi Menon, 1, Head of service
3, Meera Iyer, 1, Head of sales
4, Imran Khan, 2, Branch manager
5, Divya Nair, 2, Branch manager
6, Joseph Mathew, 4, Technician
7, Sunita Devi, 4, Technician
8, Karan Shah, 3, Sales officer`;

/** Parses lines of id, name, manager and designation, separated by commas, semicolons, or tabs as copied from Excel. */
export function readChartList(text: string): { people: ChartPerson[]; problems: string[] } {
  const problems: string[] = [];
  const rows = text
    .split(/\r?\n/)
    .map((line, at) => ({
      cells: line.split(line.includes('\t') ? '\t' : /[,;]/).map((cell) => cell.trim()),
      at: at + 1,
    }))
    .filter(({ cells }) => cells.some(Boolean));
  const ids = new Map<string, number>();
  for (const { cells, at } of rows) {
    const [key = '', name = ''] = cells;
    if (key.toLowerCase() === 'id') continue;
    if (name === '') problems.push(`Line ${at} has no name.`);
    else if (ids.has(key)) problems.push(`Line ${at}: the id ${key} is already used.`);
    else ids.set(key, ids.size + 1);
  }
  const seen = new Set<number>();
  const people = rows.flatMap(({ cells: [key = '', name = '', manager = '', designation = ''] }): ChartPerson[] => {
    const id = ids.get(key);
    if (id === undefined || name === '' || seen.has(id)) return [];
    seen.add(id);
    return [
      listedPerson({
        id,
        // A person whose manager is not in the list has no place in the tree.
        parent: manager === '' ? null : (ids.get(manager) ?? -1),
        name,
        empno: key,
        designation: designation || null,
      }),
    ];
  });
  return { people, problems };
}
