import type { Module } from '../../engine/modules.ts';
import { joined } from './joined.ts';

const module: Module = { name: 'organisation', on: { 'employee.created': joined } };
export default module;
