import type { Module } from '../../engine/modules.ts';
import { makeCopies } from './actions/make_copies.ts';
import { gst } from './fills/gst.ts';
import { guideRateFill } from './fills/guide_rate.ts';
import { routeOfArea } from './fills/route_of_area.ts';
import { buildingChanged, liftTypeChanged } from './subscribers/lifts_follow.ts';
import { similarCustomers } from './fills/similar_customers.ts';

const module: Module = {
  name: 'fms',
  fills: { gst, guide_rate: guideRateFill, route_of_area: routeOfArea, similar_customers: similarCustomers },
  actions: { make_copies: makeCopies },
  on: { 'building.changed': buildingChanged, 'lift_type_mstr.changed': liftTypeChanged },
};
export default module;
