import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** One load run: 32 connections for some seconds. */
export interface LoadResult {
  perSecond: number;
  /** 99th percentile of the answer time, ms. */
  p99: number;
  errors: number;
}

export interface LoadTarget {
  url: string;
  headers?: Record<string, string>;
  /** Lua of wrk's `request` function for calls with a body. */
  script?: string;
}

/** wrk, from Debian's packages; the bench needs it because a load generator in Node would measure itself. */
export function requireWrk(): void {
  if (spawnSync('wrk', ['-v']).error === undefined) return;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get'))
    spawnSync('apt-get', ['install', '-y', '-qq', 'wrk'], { stdio: 'inherit' });
  if (spawnSync('wrk', ['-v']).error !== undefined) throw new Error('The bench needs wrk: apt-get install wrk.');
}

export function load(target: LoadTarget, seconds: number): Promise<LoadResult> {
  const args = ['-t1', '-c32', `-d${seconds}`, '--latency'];
  for (const [name, value] of Object.entries(target.headers ?? {})) args.push('-H', `${name}: ${value}`);
  const folder = target.script ? mkdtempSync(join(tmpdir(), 'mainstay-bench-')) : null;
  if (folder && target.script) {
    const file = join(folder, 'load.lua');
    writeFileSync(file, target.script);
    args.push('-s', file);
  }
  return new Promise((resolve, reject) => {
    const wrk = spawn('wrk', [...args, target.url], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    wrk.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    wrk.once('exit', () => {
      if (folder) rmSync(folder, { recursive: true });
      const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]);
      const p99 = milliseconds(/99%\s+([\d.]+\w+)/.exec(text)?.[1] ?? '');
      const errors = Number(/Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? 0);
      if (Number.isNaN(perSecond)) reject(new Error(`wrk said:\n${text}`));
      else resolve({ perSecond, p99, errors });
    });
  });
}

/** Calls of a steady load, a second: five hundred people who each look at a list every ten seconds. */
export const STEADY = 50;

/**
 * Calls at fixed moments, whether or not those before were answered, until told to stop: what people feel, where `load`
 * tells what a server can do. A call's time counts from the moment it was due.
 * @returns a function that ends it and tells the 99th percentile, ms
 */
export function steadyLoad(target: LoadTarget): () => Promise<LoadResult> {
  const thread = new Worker(new URL('./steady_load_thread.ts', import.meta.url), { workerData: target });
  const result = new Promise<LoadResult>((resolve, reject) => thread.once('message', resolve).once('error', reject));
  return async () => {
    thread.postMessage('stop');
    const told = await result;
    await thread.terminate();
    return told;
  };
}

function milliseconds(text: string): number {
  const value = Number.parseFloat(text);
  return text.endsWith('us') ? value / 1000 : text.endsWith('ms') ? value : value * 1000;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * Runs the targets in turn, several rounds, so that what else the machine does falls on all alike;
 * the median of the rounds of each.
 */
export async function interleaved<Name extends string>(
  targets: Record<Name, LoadTarget>,
  rounds = 5,
  seconds = 3,
): Promise<Record<Name, LoadResult>> {
  const names = Object.keys(targets) as Name[];
  const all = Object.fromEntries(names.map((name) => [name, [] as LoadResult[]])) as Record<Name, LoadResult[]>;
  for (const name of names) await load(targets[name], 1);
  for (let round = 0; round < rounds; round++)
    for (const name of names) all[name].push(await load(targets[name], seconds));
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        perSecond: median(all[name].map((run) => run.perSecond)),
        p99: median(all[name].map((run) => run.p99)),
        errors: all[name].reduce((sum, run) => sum + run.errors, 0),
      },
    ]),
  ) as Record<Name, LoadResult>;
}
