import type { Module } from '../../../src/server/engine/modules.ts';

/** What a test looks at between two batches, in its own process. */
export const between: { batch: (last: number, signal: AbortSignal) => Promise<void> } = {
  batch: () => Promise.resolve(),
};

/** A job that writes the numbers from 1 on, ten in a batch, and a mark at its end. */
const modules: Module[] = [
  {
    name: 'test_jobs',
    jobs: {
      tally: {
        args: { type: 'object', required: ['upto'], properties: { upto: { type: 'integer' } } },
        async run({ args, company, due, signal, each }) {
          const upto = Number(args.upto);
          const done = await each(
            (_unit, after) => {
              const from = Number(after ?? 0);
              return Promise.resolve(Array.from({ length: Math.min(10, upto - from) }, (_, at) => from + at + 1));
            },
            async (unit, batch) => {
              for (const number of batch)
                await unit.create('tally', { name: `${company ?? 'client'} ${due.slice(0, 10)} ${number}`, due });
              await between.batch(batch.at(-1)!, signal);
              return batch.at(-1);
            },
            () => Promise.resolve(upto),
          );
          return `${done} written.`;
        },
      },
      tally_beside: {
        async run({ due, signal, each }) {
          const loop = (name: string, upto: number) =>
            each(
              (_unit, after) => Promise.resolve(Number(after ?? 0) < upto ? [Number(after ?? 0) + 1] : []),
              async (unit, [number]) => {
                await unit.create('tally', { name: `${name} ${number}`, due });
                await between.batch(name === 'a' ? number! : -number!, signal);
                return number;
              },
            );
          const loops = await Promise.allSettled([loop('a', 3), loop('b', 5)]);
          const failed = loops.find((one) => one.status === 'rejected');
          if (failed) throw failed.reason;
          return loops.map((one) => (one.status === 'fulfilled' ? one.value : 0)).join(' and ');
        },
      },
    },
  },
];
export default modules;
