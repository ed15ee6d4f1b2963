import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Compiled, SourceFile } from '../../../descriptor/compile.ts';
import { compileScreens } from '../../../descriptor/compile.ts';
import type { FunctionNames } from '../../../descriptor/function_names.ts';
import { readTypes } from './types.ts';

/** The descriptor files of `schemas/<folder>/<name>.json`, in the order of their paths. */
export async function readSources(schemasDir: string): Promise<SourceFile[]> {
  const folders = (await readdir(schemasDir, { withFileTypes: true })).filter(
    (entry) => entry.isDirectory() && entry.name !== 'meta',
  );
  const files = await Promise.all(
    folders.map(async ({ name: folder }) => {
      const files = await readdir(join(schemasDir, folder));
      const names = files.filter((name) => name.endsWith('.json') && !name.startsWith('.'));
      return Promise.all(
        names.map(async (file) => {
          const path = join(schemasDir, folder, file);
          const name = file.slice(0, -'.json'.length);
          const sql = files.includes(`${name}.sql`)
            ? await readFile(join(schemasDir, folder, `${name}.sql`), 'utf8')
            : undefined;
          return { path, folder, name, text: await readFile(path, 'utf8'), ...(sql !== undefined && { sql }) };
        }),
      );
    }),
  );
  return files.flat().sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Reads and compiles all descriptors; a file with problems yields nothing, the others still do. `functions`: the
 * functions that descriptors may name.
 */
export async function loadScreens(schemasDir: string, functions?: FunctionNames): Promise<Compiled> {
  return compileScreens(await readSources(schemasDir), readTypes(schemasDir), functions);
}
