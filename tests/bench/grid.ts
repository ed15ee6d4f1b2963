import { chromium } from 'playwright';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The list of a million records in Chromium: its first rows, and the frames while it is scrolled through 48,000 px. */
export async function gridBench(port: number, password: string): Promise<[string, string, string][]> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ARGS,
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`http://demo.localhost:${port}/login`);
    await page.getByLabel(/username/i).fill('admin');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    const proceed = page.getByRole('button', { name: 'Proceed' });
    const inside = page.getByRole('navigation').first();
    await proceed.or(inside).first().waitFor();
    if (await proceed.isVisible()) {
      await page.getByRole('radio').first().check();
      await proceed.click();
      await proceed.waitFor({ state: 'detached' });
    }
    await page.waitForURL((url) => url.pathname !== '/login', { waitUntil: 'load' });
    await inside.waitFor();
    const rows = page.locator('.ag-row[row-index="5"] .ag-cell').first();
    /** From a click on the start page's tile to rows on the screen, scripts being there already. */
    const open = async () => {
      await page.goto(`http://demo.localhost:${port}/show_list`);
      const tile = page.locator('main a[href="/employee"]').first();
      await tile.waitFor();
      // The live stream stays open, so the network is never idle: the page gets a moment to settle.
      await page.waitForTimeout(800);
      const from = Date.now();
      await tile.click();
      await rows.waitFor();
      return Date.now() - from;
    };
    await open();
    const times: number[] = [];
    for (let turn = 0; turn < 5; turn++) times.push(await open());
    const warm = times.sort((one, other) => one - other)[2]!;
    await page.goto(`http://demo.localhost:${port}/bench_contract`);
    await rows.waitFor();
    const figures = await page.evaluate(async () => {
      const scroller = [
        ...document.querySelectorAll<HTMLElement>(
          '.ag-grid-viewport, .ag-body-viewport, .ag-body-vertical-scroll-viewport',
        ),
      ].find((element) => element.scrollHeight > element.clientHeight * 3);
      if (!scroller) return null;
      const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      let last = await frame();
      const gaps: number[] = [];
      for (let step = 0; step < 120; step++) {
        scroller.scrollTop += 400;
        const now = await frame();
        gaps.push(now - last);
        last = now;
      }
      gaps.sort((a, b) => a - b);
      return { median: gaps[60]!, p95: gaps[114]! };
    });
    return [
      ['list of employees, from the click on its tile to rows, scripts cached, median of 5', `${warm} ms`, '< 300 ms'],
      ...(figures
        ? ([
            [
              'scrolling a list of a million records, a frame: median / p95',
              `${figures.median.toFixed(1)} / ${figures.p95.toFixed(1)} ms`,
              '',
            ],
          ] as [string, string, string][])
        : []),
    ];
  } finally {
    await browser.close();
  }
}
