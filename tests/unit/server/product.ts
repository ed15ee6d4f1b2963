import { join } from 'node:path';
import { loadScreens } from '../../../src/server/engine/descriptors/load.ts';

/** The product's descriptors: compiled once for all the files that a worker runs. */
export const product = loadScreens(join(import.meta.dirname, '../../../schemas'));
