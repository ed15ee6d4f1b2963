/** `npm run schema:check`: every descriptor checked; each finding with file, line, path, and what to write instead. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { typesProblems } from '../src/descriptor/meta_check.ts';
import type { Problem } from '../src/descriptor/types.ts';
import { loadModules } from '../src/server/engine/load_modules.ts';
import { functionNames } from '../src/server/engine/modules.ts';
import { loadScreens } from '../src/server/engine/descriptors/load.ts';
import { menuProblems } from '../src/server/engine/descriptors/menu_check.ts';
import { pageProblems } from '../src/server/access/rights/pages.ts';
import { NOTIFICATION_EVENTS } from '../src/server/services/notifications/events.ts';
import { reportSources } from '../src/server/app/report_sources.ts';

/** Descriptors rest on types.json: while that is wrong, what is reported of them would mislead. */
async function check(folder: string): Promise<{ count: number; problems: Problem[] }> {
  const file = join(folder, 'types.json');
  const wrongTypes = typesProblems(file, readFileSync(file, 'utf8'));
  if (wrongTypes.length > 0) return { count: 0, problems: wrongTypes };
  const { screens, reports, dashboards, jobs, problems } = await loadScreens(folder, {
    ...functionNames(await loadModules(join(import.meta.dirname, '../src/server/modules'))),
    reports: new Set(Object.keys(reportSources)),
    notices: new Set(NOTIFICATION_EVENTS.map(({ code }) => code)),
  });
  return {
    count: screens.size + reports.size + dashboards.size + jobs.length,
    problems: [
      ...problems,
      ...(await menuProblems(folder, screens, [...reports.values(), ...dashboards.values()])),
      ...pageProblems(folder),
    ],
  };
}

/** What the command says of a folder (the first argument, else the product's own), as lines or with --json as data. */
export async function schemaCheck(args: string[]): Promise<{ status: number; stdout: string }> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean' } },
  });
  const folder = positionals[0] ?? process.env.SCHEMAS_DIR ?? join(import.meta.dirname, '..', 'schemas');
  const started = performance.now();
  const { count, problems } = await check(folder);
  const status = problems.length === 0 ? 0 : 1;
  if (values.json) return { status, stdout: `${JSON.stringify(problems, null, 2)}\n` };
  const found = problems.map(
    ({ file, line, path, message, hint }) =>
      `${relative(process.cwd(), file)}:${line}  ${path}\n  ${message}${hint ? `\n  ${hint}` : ''}\n\n`,
  );
  const time = Math.round(performance.now() - started);
  const sum = `${count} descriptors right, ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}, ${time} ms.\n`;
  return { status, stdout: [...found, sum].join('') };
}

if (import.meta.main) {
  const { status, stdout } = await schemaCheck(process.argv.slice(2));
  process.stdout.write(stdout);
  // Not process.exit: it would cut off what a pipe has not taken yet.
  process.exitCode = status;
}
