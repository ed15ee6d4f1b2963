/** `npm run schema:check`: every descriptor checked; each finding with file, line, path, and what to write instead. */
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { loadScreens } from '../src/server/descriptors/load.ts';
import { menuProblems } from '../src/server/descriptors/menu_check.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
const folder = positionals[0] ?? process.env.SCHEMAS_DIR ?? join(import.meta.dirname, '..', 'schemas');
const started = performance.now();
const { screens, problems } = await loadScreens(folder);
problems.push(...(await menuProblems(folder, screens)));

if (values.json) console.log(JSON.stringify(problems, null, 2));
else {
  for (const { file, line, path, message, hint } of problems) {
    console.log(`${relative(process.cwd(), file)}:${line}  ${path}\n  ${message}${hint ? `\n  ${hint}` : ''}\n`);
  }
  const time = Math.round(performance.now() - started);
  console.log(`${screens.size} descriptors right, ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}, ${time} ms.`);
}
process.exit(problems.length === 0 ? 0 : 1);
