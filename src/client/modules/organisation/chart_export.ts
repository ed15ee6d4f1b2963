import { CARD, linkPoints } from '../../../domain/organisation/chart_layout.ts';
import type { ChartLayout, Direction } from '../../../domain/organisation/chart_layout.ts';
import type { ChartTree } from '../../../domain/organisation/chart_tree.ts';
import { cardLines } from './chart_drawing.ts';

interface Exported {
  tree: ChartTree;
  layout: ChartLayout;
  direction: Direction;
  title: string;
}

const MARGIN = 24;
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign]!);

/** The expanded part of the chart as SVG. */
export function chartSvg({ tree, layout, direction, title }: Exported): string {
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
    const [first, second, third] = cardLines(person).map(escaped);
    const [x, y] = [layout.x[at]!, layout.y[at]!];
    const dashed = person.wanted > 0 ? ' stroke-dasharray="6 4"' : '';
    return `<g><rect x="${x}" y="${y}" width="${CARD.width}" height="${CARD.height}" rx="6" fill="#fff" stroke="#8a8a8a"${dashed}/><text x="${x + 14}" y="${y + 22}" font-weight="600" font-size="14">${first}</text><text x="${x + 14}" y="${y + 41}" font-size="12">${second}</text><text x="${x + 14}" y="${y + 59}" font-size="12" fill="#616161">${third}</text></g>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-MARGIN} ${-MARGIN} ${width} ${height}" font-family="Noto Sans, Arial, sans-serif"><title>${escaped(title)}</title><g fill="none" stroke="#8a8a8a">${lines.join('')}</g>${cards.join('')}</svg>`;
}

/** A3 landscape, in points. */
const PAGE = { width: 1190.55, height: 841.89, margin: 28, foot: 18 } as const;
/** The scale at which a unit of the chart is a point: text of 8 points. */
const SCALE = 0.66;

/** Characters of the built-in PDF fonts; others become a question mark. */
function winAnsi(text: string): string {
  return [...text.replaceAll('…', '\u0085').replaceAll('–', '\u0096').replaceAll('·', '\u00B7').replaceAll('→', '>')]
    .map((sign) => (sign.charCodeAt(0) < 256 ? sign : '?'))
    .join('')
    .replace(/[\\()]/g, '\\$&');
}

const short = (value: number) => String(Math.round(value * 100) / 100);

/** The expanded part of the chart as a vector PDF of A3 pages; each page shows its position. */
export function chartPdf({ tree, layout, direction, title }: Exported): Uint8Array<ArrayBuffer> {
  const inside = { width: PAGE.width - 2 * PAGE.margin, height: PAGE.height - 2 * PAGE.margin - PAGE.foot };
  const step = { x: inside.width / SCALE, y: inside.height / SCALE };
  const columns = Math.max(1, Math.ceil(layout.width / step.x));
  const rows = Math.max(1, Math.ceil(layout.height / step.y));
  const pages: string[] = [];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const [left, top] = [column * step.x, row * step.y];
      const cards: string[] = [];
      const x = (unit: number) => short(PAGE.margin + (unit - left) * SCALE);
      const y = (unit: number) => short(PAGE.height - PAGE.margin - (unit - top) * SCALE);
      for (let at = 0; at < layout.ids.length; at++) {
        const [cx, cy] = [layout.x[at]!, layout.y[at]!];
        if (cx > left + step.x || cx + CARD.width < left || cy > top + step.y || cy + CARD.height < top) continue;
        const person = tree.people.get(layout.ids[at]!)!;
        const texts = cardLines(person).map(winAnsi);
        cards.push(
          `${person.wanted > 0 ? '[4 3] 0 d ' : ''}1 g ${x(cx)} ${y(cy + CARD.height)} ${short(CARD.width * SCALE)} ${short(CARD.height * SCALE)} re B${person.wanted > 0 ? ' [] 0 d' : ''}`,
          `0 g BT /F2 9 Tf ${x(cx + 14)} ${y(cy + 22)} Td (${texts[0]}) Tj ET`,
          `BT /F1 8 Tf ${x(cx + 14)} ${y(cy + 41)} Td (${texts[1]}) Tj ET`,
          `0.4 g BT /F1 8 Tf ${x(cx + 14)} ${y(cy + 59)} Td (${texts[2]}) Tj ET`,
        );
      }
      // Pages without a card are left out.
      if (cards.length === 0) continue;
      const lines: string[] = [];
      for (let at = 0; at < layout.links.length; at += 2) {
        const points = linkPoints(layout, at, direction);
        const pairs = Array.from(
          { length: points.length / 2 },
          (_, index) => [points[index * 2]!, points[index * 2 + 1]!] as const,
        );
        const across = pairs.map(([one]) => one);
        const along = pairs.map(([, one]) => one);
        if (
          Math.max(...across) < left ||
          Math.min(...across) > left + step.x ||
          Math.max(...along) < top ||
          Math.min(...along) > top + step.y
        )
          continue;
        lines.push(
          `${pairs.map(([one, other], index) => `${x(one)} ${y(other)} ${index === 0 ? 'm' : 'l'}`).join(' ')} S`,
        );
      }
      const clip = `${PAGE.margin} ${PAGE.margin + PAGE.foot} ${short(inside.width)} ${short(inside.height)} re W n`;
      pages.push(
        `q ${clip} 0.7 w 0.55 G ${lines.join('\n')}\n${cards.join('\n')} Q\n0.3 g BT /F1 8 Tf ${PAGE.margin} ${PAGE.margin} Td (${winAnsi(title)}   row ${row + 1} of ${rows}, column ${column + 1} of ${columns}) Tj ET`,
      );
    }
  return pdfOf(pages);
}

/** A PDF file of these page contents, with the two standard fonts. */
function pdfOf(pages: readonly string[]): Uint8Array<ArrayBuffer> {
  const first = 5;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${first + at * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((content, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents ${first + at * 2 + 1} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
  // Every character is a single byte by now.
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
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
