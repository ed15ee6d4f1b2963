import { chromium } from 'playwright';

const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** The list of a million records in Chromium: first rows, a jump into the middle, frames while scrolling. */
export async function gridBench(port: number, password: string): Promise<[string, string, string][]> {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: ARGS });
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
    }
    await inside.waitFor();
    const open = async () => {
      const from = Date.now();
      await page.goto(`http://demo.localhost:${port}/bench_contract`);
      await page.locator('.ag-row[row-index="5"] .ag-cell').first().waitFor();
      return Date.now() - from;
    };
    await open();
    const warm = [await open(), await open(), await open()].sort((a, b) => a - b)[1]!;
    const figures = await page.evaluate(async () => {
      const scroller = [...document.querySelectorAll<HTMLElement>('.ag-viewport, .ag-body-viewport, .ag-body-vertical-scroll-viewport')].find((element) => element.scrollHeight > element.clientHeight * 10);
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
      const from = performance.now();
      scroller.scrollTop = scroller.scrollHeight * 0.6;
      for (;;) {
        await frame();
        const rows = [...document.querySelectorAll('.ag-row')];
        const top = scroller.getBoundingClientRect();
        const shown = rows.filter((row) => { const box = row.getBoundingClientRect(); return box.top >= top.top && box.bottom <= top.bottom; });
        if (shown.length > 5 && shown.every((row) => (row.textContent ?? '').length > 20) && Number(shown[0]!.getAttribute('row-index')) > 5000) break;
        if (performance.now() - from > 10_000) break;
      }
      return { median: gaps[60]!, p95: gaps[114]!, jump: performance.now() - from };
    });
    return [
      ['list of a million records, warm, to rows on the screen', `${warm} ms`, '< 300 ms in the page itself'],
      ...(figures ? ([['scrolling, a frame: median / p95', `${figures.median.toFixed(1)} / ${figures.p95.toFixed(1)} ms`, ''], ['jump into the list, to rows', `${figures.jump.toFixed(0)} ms`, '']] as [string, string, string][]) : []),
    ];
  } finally {
    await browser.close();
  }
}
