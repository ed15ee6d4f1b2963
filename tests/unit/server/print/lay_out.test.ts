import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ContentBlock, PrintContent } from '../../../../src/server/services/print/print_content.ts';
import { documentOf } from '../../../../src/server/services/print/lay_out.ts';
import { plainFont } from '../../../../src/server/services/print/plain_font.ts';
import { canBeWritten, fontRuns, printFonts } from '../../../../src/server/services/print/print_fonts.ts';
import layOut, { laidOutPages } from '../../../../src/server/services/print/print_worker.ts';
import { keptFont, shapeOf } from '../../../../src/server/services/print/shared_fonts.ts';

const content = (blocks: ContentBlock[], more: Partial<PrintContent> = {}): PrintContent => ({
  title: 'Bill',
  paper: 'A5',
  landscape: false,
  at: '2026-04-01T00:00:00Z',
  watermark: null,
  foot: 'Bill 1',
  blocks,
  ...more,
});
const table = (rows: number): ContentBlock => ({
  kind: 'table',
  title: null,
  columns: [
    { title: 'Item', align: 'left', width: 'fill' },
    { title: 'Net', align: 'right', width: 'fit' },
  ],
  groups: [
    {
      title: 'Lift A',
      rows: Array.from({ length: rows }, (_, at) => [`Rope ${at}`, '₹1,000.00']),
      sums: ['Subtotal', '₹9'],
    },
    { title: 'Lift B', rows: [['Oil', '₹5.00']], sums: ['Subtotal', '₹5.00'] },
  ],
  sums: ['Total', '₹14.00'],
});

it('the line below a letterhead goes from margin to margin, on any paper', () => {
  const head: ContentBlock = { kind: 'letterhead', name: 'Acme', lines: [], picture: null, banner: null };
  const ends = (paper: PrintContent['paper'], landscape: boolean) => {
    const { content: blocks } = documentOf(content([head], { paper, landscape }), new Set(), new Map(), false);
    return Number(/"x2":(\d+)/.exec(JSON.stringify(blocks))![1]);
  };
  expect([ends('A4', false), ends('A4', true), ends('A6', false)]).toEqual([515, 761, 217]);
});

it('a break after a full page leaves no empty page, however much stands above it', async () => {
  const line: ContentBlock = { kind: 'heading', text: 'Rope' };
  const pagesOf = async (lines: number, blocks: ContentBlock[] = []) => {
    const pdf = await layOut(content([...Array.from({ length: lines }, () => line), ...blocks]));
    return Buffer.from(pdf)
      .toString('latin1')
      .match(/\/Type \/Page\b/g)!.length;
  };
  for (let lines = 10; lines < 26; lines++)
    expect([lines, await pagesOf(lines, [{ kind: 'break' }, line])]).toEqual([lines, (await pagesOf(lines)) + 1]);
}, 60_000);

describe('a printed table', () => {
  it('never separates sums and titles from their rows, however many these are', async () => {
    let moved = 0;
    for (let rows = 14; rows < 34; rows++) {
      const { pages, passes } = await laidOutPages(content([table(rows)]));
      // Title and first row, last row and subtotal; the second group is kept whole, the total with it.
      expect(pages.size).toBe(3);
      for (const [mark, { first, last }] of pages) expect([rows, mark, last]).toEqual([rows, mark, first]);
      moved += passes - 1;
    }
    // Without moving rows along, some would have stood alone.
    expect(moved).toBeGreaterThan(0);
  }, 120_000);

  it('never separates its own title from its first row', async () => {
    let moved = 0;
    const line: ContentBlock = { kind: 'text', text: 'Terms', bold: false, align: 'left' };
    const titled = { ...table(0), title: 'Parts', groups: [{ title: null, rows: [['Oil', '₹5.00']], sums: null }] };
    for (let lines = 30; lines < 50; lines++) {
      const above = Array.from({ length: lines }, () => line);
      const { pages, passes } = await laidOutPages(content([...above, { ...titled, sums: null } as ContentBlock]));
      expect(pages.size).toBe(1);
      // What begins a new page is not reported.
      for (const { first, last } of pages.values()) expect([lines, first]).toEqual([lines, passes === 1 ? last : 0]);
      moved += passes - 1;
    }
    expect(moved).toBeGreaterThan(0);
  }, 120_000);

  it('is left out without columns, and so is a box without fields: everything in it is hidden from the reader', async () => {
    const empty: ContentBlock[] = [
      { kind: 'box', columns: 2, entries: [] },
      { ...table(3), columns: [] } as ContentBlock,
    ];
    const text: ContentBlock = { kind: 'text', text: 'Thank you', bold: false, align: 'left' };
    expect(await layOut(content([...empty, text]))).toEqual(await layOut(content([text])));
  });

  it('repeats its head on every page', async () => {
    const rows = Array.from({ length: 60 }, (_, at) => [`Rope ${at}`, '₹1.00']);
    const long = { ...table(0), groups: [{ title: null, rows, sums: null }], sums: null } as ContentBlock;
    const file = Buffer.from(await layOut(content([long]))).toString('latin1');
    const streams = [...file.matchAll(/stream\r?\n([^]*?)\r?\nendstream/g)].flatMap(([, packed]) => {
      try {
        return inflateSync(Buffer.from(packed!, 'latin1')).toString('latin1');
      } catch {
        // A font is packed in its own way.
        return [];
      }
    });
    const pages = streams.filter((stream) => stream.includes('BT'));
    expect(pages.length).toBeGreaterThan(2);
    // Heads alone are shaded here: two cells on each page.
    for (const page of pages) expect(page.match(/0\.9529\d* 0\.9529\d* 0\.9529\d* scn/g)).toHaveLength(2);
  });

  it('gives the same bytes each time, whatever is printed between, and as PDF', async () => {
    const one = content([
      { kind: 'letterhead', name: 'Chola Lifts', lines: ['Chennai', 'ક્ષ ₹5 தமிழ்'], picture: null, banner: null },
      table(3),
      { kind: 'qr', text: 'https://example.com/1', note: null },
      { kind: 'signatures', boxes: [{ title: 'For us', name: 'Asha', picture: null }] },
    ]);
    const first = await layOut(one);
    await layOut(content([{ kind: 'text', text: 'Σ ₹7 लिफ्ट தமிழ்நாடு ગુજરાતી Chennai', bold: false, align: 'left' }]));
    const second = await layOut(one);
    expect(Buffer.from(first).subarray(0, 5).toString()).toBe('%PDF-');
    expect(Buffer.compare(Buffer.from(first), Buffer.from(second))).toBe(0);
  });

  it('reads no file and no address, whatever it contains', async () => {
    for (const picture of ['/etc/passwd', 'http://127.0.0.1:1/x.png', 'file:///etc/passwd'])
      await expect(layOut(content([{ kind: 'picture', picture, width: 100 }])), picture).rejects.toThrow();
  });
});

describe('letters on paper', () => {
  it('use the fonts of their scripts, including the rupee sign', () => {
    expect(fontRuns('₹5 தமிழ் हिन्दी।')).toEqual([
      { font: 'latin-ext', text: '₹' },
      { font: 'latin', text: '5 ' },
      { font: 'tamil', text: 'தமிழ் ' },
      { font: 'devanagari', text: 'हिन्दी।' },
    ]);
    expect(fontRuns('ക്‍ഷ লিফট বন্ধ।').map(({ font }) => font)).toEqual(['malayalam', 'bengali']);
    expect(fontRuns('')).toEqual([]);
    expect(canBeWritten('लिफ्ट 🙂')).toBe(false);
    expect(canBeWritten('ગુજરાતી ಕನ್ನಡ Σ Ж')).toBe(true);
    expect(canBeWritten('漢')).toBe(false);
  });

  it.each([
    // The sign that is spoken after its letter stands before it.
    ['हि', 'devanagari', [[0x93f], [0x939]]],
    ['કિ', 'gujarati', [[0xabf], [0xa95]]],
    // One sign on both sides of its letter.
    ['மொ', 'tamil', [[0xbc6], [0xbae], [0xbbe]]],
    // Letters that become one.
    ['क्ष', 'devanagari', [[0x915, 0x94d, 0x937]]],
    ['ક્ષ', 'gujarati', [[0xa95, 0xacd, 0xab7]]],
    ['ಕ್ಷ', 'kannada', [[0xc95, 0xccd, 0xcb7]]],
  ] as const)('%s in %s are shaped correctly', (text, font, letters) => {
    const kept = keptFont(() => plainFont(printFonts[font]!.normal!));
    const { glyphs } = shapeOf(Number(kept.toString().split(' ').at(-1)), text);
    expect(glyphs.map(({ codePoints }) => codePoints)).toEqual(letters);
    for (const { id } of glyphs) expect(id).toBeGreaterThan(0);
  });

  it('of all these scripts can be laid out', async () => {
    const text = 'தமிழ்நாடு हिन्दी मराठी ગુજરાતી લિફ્ટ ಕನ್ನಡ తెలుగు മലയാളം বাংলা 漢 ₹1,00,000';
    const bytes = await layOut(content([{ kind: 'text', text, bold: false, align: 'left' }], { watermark: 'DRAFT' }));
    expect(bytes.length).toBeGreaterThan(5_000);
  });
});

describe('a drawing', () => {
  const box = { x: 10, y: 10, width: 137, height: 48, isDashed: false, lines: ['Officer', 'Sales · Chennai'] };
  const drawings: ContentBlock[] = [
    {
      kind: 'drawing',
      title: 'Organisation chart',
      back: null,
      lines: [[20, 58, 20, 80]],
      boxes: [{ ...box, name: 'தமிழ்ச்செல்வி', more: '12 below', page: 1 }],
    },
    {
      kind: 'drawing',
      title: 'Reports',
      back: 0,
      lines: [],
      boxes: [{ ...box, name: 'Ravi', more: null, page: null }],
    },
  ];

  it('is a page of its own, in any script, linked to the one that continues it', async () => {
    const file = Buffer.from(await layOut(content(drawings, { paper: 'A3', landscape: true }))).toString('latin1');
    expect(file.match(/\/Type \/Page\b/g)).toHaveLength(2);
    expect(file).toContain('NotoSansTamil');
    // Each word of the box's name and foot leads to the second page, and "Back to page 1" there to the first.
    const links = [...file.matchAll(/\/S \/GoTo\s+\/D \(drawing-(\d)\)/g)].map(([, to]) => to);
    expect([links.filter((to) => to === '1').length, links.filter((to) => to === '0').length]).toEqual([5, 4]);
    expect([...file.matchAll(/\(drawing-(\d)\) \[/g)].map(([, at]) => at)).toEqual(['0', '1']);
  });
});
