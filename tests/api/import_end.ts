/** So long an import may take on a busy machine, in milliseconds: it runs after everything else. */
const PATIENCE = 60_000;

/**
 * Reads a run again and again until it is in one of the states.
 * @param read the run as it is now
 * @throws if it has not come there in a minute, with the run
 */
export async function untilIn<Run extends { state: string }>(
  read: () => Promise<Run>,
  states: readonly string[],
): Promise<Run> {
  const until = performance.now() + PATIENCE;
  for (;;) {
    const run = await read();
    if (states.includes(run.state)) return run;
    if (performance.now() > until)
      throw new Error(`The run never became ${states.join(' or ')}: ${JSON.stringify(run)}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
