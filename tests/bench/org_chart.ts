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
    const opened = page.evaluate(nextPicture);
    await page.getByRole('menuitem', { name: 'Open all' }).click();
    const all = await opened;
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
      ['everybody opened, to the picture', `${Math.round(all)} ms`, ''],
      ['panning with everybody opened, to draw a frame: median / p95', near, '≤ 16 ms'],
      ['zooming the same', zoomed, '≤ 16 ms'],
      [`panning the whole company, ${Number(cards).toLocaleString('en-IN')} cards in sight`, whole, '≤ 16 ms'],
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

/** In the page: the time from the next click to the frame after the chart has been drawn anew. */
const nextPicture = () =>
  new Promise<number>((resolve) => {
    addEventListener(
      'click',
      ({ timeStamp }) => {
        const watch = new MutationObserver(() => {
          watch.disconnect();
          requestAnimationFrame((at) => resolve(at - timeStamp));
        });
        watch.observe(document.querySelector('canvas[data-cards]')!, {
          attributes: true,
          attributeFilter: ['data-paint-ms'],
        });
      },
      { once: true, capture: true },
    );
  });

/** The time that the chart takes to draw a frame while keys move it, each for half of the frames. */
async function frames(page: Page, keys: [string, string]): Promise<string> {
  const times = await page.evaluate(
    async ([both, count]) => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas[data-cards]')!;
      const drawn: number[] = [];
      for (let turn = 0; turn < count; turn++) {
        const key = both[turn < count / 2 ? 0 : 1]!;
        canvas.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        drawn.push(Number(canvas.dataset.paintMs));
      }
      return drawn.sort((a, b) => a - b);
    },
    [keys, FRAMES] as const,
  );
  return `${times[Math.floor(FRAMES / 2)]!.toFixed(1)} / ${times[Math.floor(FRAMES * 0.95)]!.toFixed(1)} ms`;
}
