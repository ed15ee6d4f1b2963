import { defineHooks } from '../../engine/records/hooks.ts';
import { orderFaults } from './task_order.ts';

export default defineHooks({ check: (_session, record) => orderFaults(record) });
