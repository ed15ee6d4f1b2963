import type { Module } from '../../engine/modules.ts';
import { notifyDeputies } from './effects/notify_deputies.ts';
import { joined } from './joined.ts';

const module: Module = {
  name: 'organisation',
  on: { 'employee.created': joined },
  effects: { notify_deputies: notifyDeputies },
};
export default module;
