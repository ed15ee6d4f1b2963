import { CARD, linkPoints } from '../../../domain/organisation/chart_layout.ts';
import type { ChartLayout, Direction } from '../../../domain/organisation/chart_layout.ts';
import type { ChartTree } from '../../../domain/organisation/chart_tree.ts';
import type { CardField } from './card_fields.ts';
import { cardTexts } from './card_fields.ts';

interface Exported {
  tree: ChartTree;
  layout: ChartLayout;
  direction: Direction;
  title: string;
  fields: readonly CardField[];
}

const MARGIN = 24;
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign]!);

/** The expanded part of the chart as SVG. */
export function chartSvg({ tree, layout, direction, title, fields }: Exported): string {
  const [width, height] = [layout.width + 2 * MARGIN, layout.height + 2 * MARGIN];
  const lines: string[] = [];
  for (let at = 0; at < layout.links.length; at += 2) {
    const points = linkPoints(layout, at, direction);
    const pairs = Array.from(
      { length: points.length / 2 },
      (_, index) => `${points[index * 2]},${points[index * 2 + 1]}`,
    );
    lines.push(`<polyline points="${pairs.join(' ')}"/>`);
  }
  const cards = Array.from(layout.ids, (id, at) => {
    const person = tree.people.get(id)!;
    const [first, second, third] = cardTexts(person, fields, tree).map(escaped);
    const [x, y] = [layout.x[at]!, layout.y[at]!];
    const dashed = person.wanted > 0 ? ' stroke-dasharray="6 4"' : '';
    return `<g><rect x="${x}" y="${y}" width="${CARD.width}" height="${CARD.height}" rx="6" fill="#fff" stroke="#8a8a8a"${dashed}/><text x="${x + 14}" y="${y + 22}" font-weight="600" font-size="14">${first}</text><text x="${x + 14}" y="${y + 41}" font-size="12">${second}</text><text x="${x + 14}" y="${y + 59}" font-size="12" fill="#616161">${third}</text></g>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-MARGIN} ${-MARGIN} ${width} ${height}" font-family="Noto Sans, Arial, sans-serif"><title>${escaped(title)}</title><g fill="none" stroke="#8a8a8a">${lines.join('')}</g>${cards.join('')}</svg>`;
}

/** Downloads a file. */
export function download(name: string, content: BlobPart, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
