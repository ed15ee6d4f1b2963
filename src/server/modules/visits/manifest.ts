import type { Module } from '../../engine/modules.ts';
import { recordFigures } from './record_figures.ts';

const module: Module = { name: 'visits', figures: recordFigures };
export default module;
