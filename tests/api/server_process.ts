import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { TestDatabase } from './postgres.ts';

/** Where processes of the tests keep the modules that they have compiled: the next one starts in half the time. */
export const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/compile');

export interface HttpAnswer {
  status: number;
  body: string;
}

/** A second server process on the database of a test. */
export interface ServerProcess {
  port: number;
  call(
    host: string,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<HttpAnswer>;
  /** Ends it at once, as a power cut does. */
  kill(): Promise<void>;
}

/** Starts a server process; it listens when this resolves. */
export async function startServerProcess(
  { databaseUrl }: Pick<TestDatabase, 'databaseUrl'>,
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'server_child.ts'), {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATA_DIR: mkdtempSync(join(inject('scratchDir'), 'process-')),
      SCHEMAS_DIR: join(import.meta.dirname, '../../schemas'),
      LOG_LEVEL: 'silent',
      DEMO: '0',
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...env,
    },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve(message as number));
    child.once('exit', (code) => reject(new Error(`The server process ended with ${code}.`)));
  });
  return {
    port,
    call: (host, method, path, body, headers = {}) =>
      new Promise((resolve, reject) => {
        const sent = request(
          {
            host: '127.0.0.1',
            port,
            method,
            path,
            headers: { host, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
          },
          (answer) => {
            const parts: Buffer[] = [];
            answer.on('data', (part: Buffer) => parts.push(part));
            answer.on('end', () =>
              resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(parts).toString('utf8') }),
            );
            answer.on('error', reject);
          },
        );
        sent.on('error', reject);
        sent.end(body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body));
      }),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
