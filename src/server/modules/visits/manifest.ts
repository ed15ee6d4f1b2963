import type { Module } from '../../engine/modules.ts';
import { onlyStore } from './fills/only_store.ts';
import { recordFigures } from './record_figures.ts';

const module: Module = { name: 'visits', figures: recordFigures, fills: { only_store: onlyStore } };
export default module;
