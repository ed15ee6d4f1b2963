import type { Module } from '../../engine/modules.ts';
import { tellDeputies } from './effects/tell_deputies.ts';
import { joined } from './joined.ts';

const module: Module = {
  name: 'organisation',
  on: { 'employee.created': joined },
  effects: { tell_deputies: tellDeputies },
};
export default module;
