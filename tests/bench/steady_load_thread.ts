/** Calls at fixed moments until told to stop; in a thread of its own, so that nothing else the bench does holds them up. */
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { STEADY } from './load.ts';
import type { LoadResult, LoadTarget } from './load.ts';

const target = workerData as LoadTarget;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const times: number[] = [];
const open: Promise<void>[] = [];
let errors = 0;
const from = performance.now();
let sent = 0;

/** A call that was due at this moment. */
function call(due: number): Promise<void> {
  return new Promise((resolve) => {
    const failed = () => {
      errors++;
      resolve();
    };
    request(target.url, { agent, headers: target.headers ?? {} }, (answer) => {
      if (answer.statusCode !== 200) errors++;
      answer
        .resume()
        .once('error', failed)
        .once('end', () => {
          times.push(performance.now() - due);
          resolve();
        });
    })
      .once('error', failed)
      .end();
  });
}

const timer = setInterval(() => {
  for (; sent < ((performance.now() - from) * STEADY) / 1000; sent++) open.push(call(from + (sent * 1000) / STEADY));
}, 2);

parentPort!.once('message', () => {
  clearInterval(timer);
  void Promise.all(open).then(() => {
    agent.destroy();
    const perSecond = times.length / ((performance.now() - from) / 1000);
    const p99 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
    parentPort!.postMessage({ perSecond, p99, errors } satisfies LoadResult);
  });
});
