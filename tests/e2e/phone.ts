import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import type { Page } from 'playwright';
import { expect, onTestFinished } from 'vitest';
import { describePages } from './browser.ts';

/** A phone's browser as a process of its own, with a profile that outlives it. */
export async function phone(profile: string): Promise<{ page: Page; kill: () => Promise<void> }> {
  const port = join(profile, 'DevToolsActivePort');
  rmSync(port, { force: true });
  const running = spawn(
    process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      '--window-size=390,844',
      'about:blank',
    ],
    { stdio: 'ignore', detached: true },
  );
  const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()));
  const kill = async () => {
    // The whole group at once, as when a battery is empty.
    if (running.exitCode === null && running.signalCode === null) process.kill(-running.pid!, 'SIGKILL');
    await ended;
  };
  const pages: Page[] = [];
  onTestFinished(async ({ task }) => {
    if (running.exitCode === null && running.signalCode === null) await describePages(task, pages);
    await kill();
  });
  const lines = () => {
    try {
      return readFileSync(port, 'utf8').split('\n');
    } catch {
      return [];
    }
  };
  await expect.poll(() => lines().length, { timeout: 60_000 }).toBeGreaterThan(1);
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${lines()[0]}`);
  const context = browser.contexts()[0]!;
  context.setDefaultTimeout(60_000);
  const page = context.pages()[0] ?? (await context.newPage());
  pages.push(page);
  return { page, kill };
}
