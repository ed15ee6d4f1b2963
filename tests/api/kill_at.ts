import { AsyncLocalStorage } from 'node:async_hooks';
import files from 'node:fs/promises';
import { flushCompileCache, syncBuiltinESMExports } from 'node:module';

interface Act {
  /** Steps that it may still take. */
  left: number;
  stop: () => void;
}
const acts = new AsyncLocalStorage<Act>();

/**
 * Called before each step of an act: goes on, or stands still for good where the act is to be killed. Whoever is not
 * within an act goes on.
 */
export async function step(): Promise<void> {
  const act = acts.getStore();
  if (!act || act.left-- > 0) return;
  act.stop();
  await new Promise(() => {});
}

/** From now on renaming and removing a file are steps. */
export function filesAreSteps(): void {
  const { rename, rm } = files;
  files.rename = async (...given) => {
    await step();
    return rename(...given);
  };
  files.rm = async (...given) => {
    await step();
    return rm(...given);
  };
  syncBuiltinESMExports();
}

/**
 * Does acts one after the other, the n-th up to its step number `steps[n]`, where it stands still. When all stand still or
 * have ended, this process is killed as by a power cut: so one process shows what many would, each killed before another
 * step. Tells its parent which acts stood still; where none did it ends by itself.
 */
export async function killAt(steps: readonly number[], act: (n: number) => Promise<unknown>): Promise<void> {
  const stood: boolean[] = [];
  for (const [n, left] of steps.entries())
    stood.push(
      await new Promise((resolve, reject) => {
        void acts.run({ left, stop: () => resolve(true) }, () => act(n).then(() => resolve(false), reject));
      }),
    );
  flushCompileCache();
  await new Promise((sent) => process.send!(stood, sent));
  if (stood.includes(true)) process.kill(process.pid, 'SIGKILL');
  process.exit(0);
}
