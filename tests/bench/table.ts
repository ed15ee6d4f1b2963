/** One figure of the bench. */
export interface BenchRow {
  section: string;
  what: string;
  measured: string;
  /** What a ratio is a ratio to; empty for a figure that stands alone. */
  reference: string;
  /** "≥ 0.80", "< 10 s", "p95 < 4 ms"; empty where there is none. */
  target: string;
}

const HEAD = ['section', 'what', 'measured', 'reference', 'target', 'met'];

/** Whether a figure meets its target; null where there is none. A target of the p95 is about the last number of a figure. */
export function isMet({ measured, target }: BenchRow): boolean | null {
  const goal = /([<≤≥])\s*([\d,.]+)/.exec(target);
  const numbers = measured.replace(/\bp\d\d /g, '').match(/\d[\d,]*(\.\d+)?/g);
  if (!goal || !numbers) return null;
  const value = (text: string) => Number(text.replaceAll(',', ''));
  const figure = value((target.startsWith('p95') ? numbers.at(-1) : numbers[0])!);
  const bound = value(goal[2]!);
  return goal[1] === '<' ? figure < bound : goal[1] === '≤' ? figure <= bound : figure >= bound;
}

/** The page with the rows of the sections that ran in place of their earlier ones; other sections keep theirs. */
export function withRows(page: string, rows: BenchRow[]): string {
  const lines = page.split('\n');
  const first = lines.findIndex((line) => line.startsWith('|'));
  const kept = lines
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    )
    .filter(([section]) => !rows.some((row) => row.section === section));
  const made = rows.map((row) => {
    const met = isMet(row);
    const cells = [
      row.section,
      row.what,
      row.measured,
      row.reference,
      row.target,
      met === null ? '' : met ? 'yes' : '**no**',
    ];
    return cells.map((cell) => cell.replaceAll('|', '/') || '–');
  });
  const sections = new Set([...kept.map(([section]) => section!), ...rows.map(({ section }) => section)]);
  const all = [...sections].toSorted().flatMap((name) => [...kept, ...made].filter(([section]) => section === name));
  const table = [HEAD, HEAD.map(() => '---'), ...all].map((cells) => `| ${cells.join(' | ')} |`);
  return `${[...lines.slice(0, first === -1 ? lines.length : first), ...table].join('\n').trimEnd()}\n`;
}
