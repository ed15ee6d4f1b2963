import type { Module } from '../../engine/modules.ts';
import { personFigures } from './person_figures.ts';

const module: Module = { name: 'act', figures: personFigures };
export default module;
