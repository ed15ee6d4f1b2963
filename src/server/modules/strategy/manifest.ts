import type { Module } from '../../engine/modules.ts';
import { impactTreeIsRight } from './guards/impact_tree_is_right.ts';
import impact from './sources/impact.ts';

const module: Module = {
  name: 'strategy',
  guards: { impact_tree_is_right: impactTreeIsRight },
  sources: { impact },
};
export default module;
