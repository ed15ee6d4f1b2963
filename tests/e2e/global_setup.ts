import { spawn } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { scratchDirectory } from '../scratch.ts';
import { removeData } from '../server_data.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Port the product listens on. */
    port: number;
    /** The running product's own copy of schemas/, which a test may change. */
    schemasDir: string;
    demoPassword: string;
  }
}

const root = join(import.meta.dirname, '../..');

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

/** Starts the product as a person would (`npm start`'s script), on data of its own, and stops it afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const port = await freePort();
  const home = scratchDirectory('mainstay-e2e');
  const schemasDir = join(home, 'schemas');
  cpSync(join(root, 'schemas'), schemasDir, { recursive: true });
  const demoPassword = 'Lift-2025 monsoon kettle';
  let printed = '';
  const product = spawn(process.execPath, [join(root, 'scripts/start.mjs')], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: join(home, 'data'),
      SCHEMAS_DIR: schemasDir,
      DEMO: '1',
      DEMO_PASSWORD: demoPassword,
      LOG_LEVEL: 'warn',
      // Where tests have servers of their own.
      INSIDE_HOSTS: '127.0.0.1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  product.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  product.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = new Promise<void>((resolve) => product.once('exit', () => resolve()));

  // Making the demo takes minutes where other tests make theirs beside it.
  const limit = Date.now() + 600_000;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (answer?.ok) break;
    if (product.exitCode !== null || Date.now() > limit) {
      product.kill('SIGTERM');
      throw new Error(`The product did not start:\n${printed}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  project.provide('port', port);
  project.provide('schemasDir', schemasDir);
  project.provide('demoPassword', demoPassword);
  return async () => {
    product.kill('SIGTERM');
    await ended;
    if (process.env.E2E_PRINT) console.log(printed);
    removeData(join(home, 'data'));
    rmSync(home, { recursive: true, force: true });
  };
}
