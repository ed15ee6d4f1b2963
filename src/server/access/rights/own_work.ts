import type { Session } from '../context.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';

/** Whether people of the session's company may approve their own requests (`allow_self_approval`). */
export async function mayApproveOwn({ tenant, entityId }: Session): Promise<boolean> {
  return (await clientSettings(tenant, entityId)).allow_self_approval;
}
