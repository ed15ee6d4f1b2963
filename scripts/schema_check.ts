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

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
const folder = positionals[0] ?? process.env.SCHEMAS_DIR ?? join(import.meta.dirname, '..', 'schemas');
const started = performance.now();
const { count, problems } = await check();

/** Descriptors rest on types.json: while that is wrong, what they are told would mislead. */
async function check(): Promise<{ count: number; problems: Problem[] }> {
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

if (values.json) console.log(JSON.stringify(problems, null, 2));
else {
  for (const { file, line, path, message, hint } of problems) {
    console.log(`${relative(process.cwd(), file)}:${line}  ${path}\n  ${message}${hint ? `\n  ${hint}` : ''}\n`);
  }
  const time = Math.round(performance.now() - started);
  console.log(
    `${count} descriptors right, ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}, ${time} ms.`,
  );
}
// Not process.exit: it would cut off what a pipe has not taken yet.
process.exitCode = problems.length === 0 ? 0 : 1;
