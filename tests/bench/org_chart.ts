import type { Page } from 'playwright';
import type { Database } from '../../src/server/db/database.ts';
import { openProduct } from './chromium.ts';
import { median } from './load.ts';
import { addPeople } from './people.ts';

type Figure = [what: string, measured: string, target: string];

const FRAMES = 120;
const TURNS = 5;

/** The organisation chart of 10,000 people in Chromium: its first picture, and its frames with everybody opened. */
export async function orgChartBench(port: number, password: string, db: Database): Promise<Figure[]> {
  const [made] = await db.query<{ there: boolean }>(`select to_regclass('cmp_demo.bench_person') is not null as there`);
  if (!made!.there) await addPeople(db);
  const { browser, page } = await openProduct(port, password);
  try {
    const first: number[] = [];
    for (let turn = 0; turn <= TURNS; turn++) {
      const time = await picture(page);
      // The first one loads the program of the page.
      if (turn > 0) first.push(time);
    }
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Open all' }).click();
    await page.waitForTimeout(1000);
    const near = await frames(page, ['ArrowRight', 'ArrowDown']);
    const zoomed = await frames(page, ['-', '+']);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.waitForTimeout(500);
    const cards = await page.locator('canvas[data-cards]').getAttribute('data-cards');
    const whole = await frames(page, ['ArrowRight', 'ArrowLeft']);
    return [
      [
        `first picture of the chart of 10,000, from the change of page, median of ${TURNS}`,
        `${Math.round(median(first))} ms`,
        '≤ 1,000 ms',
      ],
      ['panning with everybody opened, to draw a frame: median / p95', near, '≤ 16.7 ms'],
      ['zooming the same', zoomed, '≤ 16.7 ms'],
      [`panning the whole company, ${Number(cards).toLocaleString('en-IN')} cards in sight`, whole, '≤ 16.7 ms'],
    ];
  } finally {
    await browser.close();
  }
}

/** From leaving Home to the frame after the chart has been drawn, ms. */
async function picture(page: Page): Promise<number> {
  await page.goto(new URL('/show_list', page.url()).href);
  await page.locator('main section h2').first().waitFor();
  await page.waitForTimeout(800);
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const from = performance.now();
        history.pushState({}, '', '/org_ui_new');
        dispatchEvent(new PopStateEvent('popstate'));
        const look = () =>
          document.querySelector('canvas[data-cards]')
            ? requestAnimationFrame((at) => resolve(at - from))
            : requestAnimationFrame(look);
        look();
      }),
  );
}

/** Frames while keys move the chart, each key for half of them: the time to draw one, and from one to the next. */
async function frames(page: Page, keys: [string, string]): Promise<string> {
  const { drawn, gaps, paints } = await page.evaluate(
    async ([both, count]) => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas[data-cards]')!;
      const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      let paints = 0;
      const watch = new MutationObserver(() => paints++);
      watch.observe(canvas, { attributes: true, attributeFilter: ['data-paint-ms'] });
      const drawn: number[] = [];
      const gaps: number[] = [];
      let last = await frame();
      for (let turn = 0; turn < count; turn++) {
        const key = both[turn < count / 2 ? 0 : 1]!;
        canvas.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
        const now = await frame();
        gaps.push(now - last);
        last = now;
        drawn.push(Number(canvas.dataset.paintMs));
      }
      return { drawn, gaps, paints };
    },
    [keys, FRAMES] as const,
  );
  if (paints < FRAMES / 2) throw new Error(`The chart was drawn ${paints} times in ${FRAMES} frames.`);
  return `${spread(drawn)}; from frame to frame ${spread(gaps)}`;
}

/** Median / 95th percentile. */
function spread(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  return `${sorted[Math.floor(FRAMES / 2)]!.toFixed(1)} / ${sorted[Math.floor(FRAMES * 0.95)]!.toFixed(1)} ms`;
}
