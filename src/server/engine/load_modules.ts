import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Module } from './modules.ts';

/** Loads the manifest of every module, `<dir>/<module>/manifest.ts`, from its default export. */
export async function loadModules(dir: string): Promise<Module[]> {
  const files = readdirSync(dir, { withFileTypes: true }).flatMap((folder) => {
    const file = join(dir, folder.name, 'manifest.ts');
    return folder.isDirectory() && existsSync(file) ? [file] : [];
  });
  return Promise.all(files.map(async (file) => ((await import(file)) as { default: Module }).default));
}
