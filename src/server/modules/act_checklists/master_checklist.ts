import { orderFaults } from '../../../domain/act/task_order.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

export default defineHooks({ check: (_session, record) => orderFaults(record) });
