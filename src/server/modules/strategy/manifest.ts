import type { Module } from '../../engine/modules.ts';
import { suggestImpacts } from './actions/suggest_impacts.ts';
import { impactTreeIsRight } from './guards/impact_tree_is_right.ts';
import impact from './sources/impact.ts';

const module: Module = {
  name: 'strategy',
  actions: { suggest_impacts: suggestImpacts },
  guards: { impact_tree_is_right: impactTreeIsRight },
  sources: { impact },
};
export default module;
