import type { Tenant } from '../../db/tenant.ts';
import { tableName } from '../../db/names.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';

export const CONSENT_TYPE = 'support_access';

interface Asked {
  state: string;
  created_at: string;
  ends_at: string | null;
  open: boolean;
}

export interface FigureConsent {
  /** `off`: nobody may; `always`: without being asked; `ask`: only who was let in. */
  rule: 'off' | 'ask' | 'always';
  access: 'open' | 'off' | 'ask' | 'asked' | 'refused';
  /** The newest request of this person for this. */
  given: Asked | undefined;
}

/** Whether a client lets a person of the platform see the figures of a dashboard: by its configuration, or because an administrator agreed. Its tables must be there. */
export async function figureConsent(tenant: Tenant, userId: number, dashboard: string): Promise<FigureConsent> {
  const { support_access: rule } = await clientSettings(tenant);
  const [given] = await tenant.db.query<Asked>(
    `select state, created_at, ends_at, state = 'agreed' and ends_at > now() as open from ${tableName(tenant.schema, CONSENT_TYPE)}
     where platform_user_id = $1 and purpose = $2 and active order by id desc limit 1`,
    [userId, dashboard],
  );
  const open = rule === 'always' || (rule === 'ask' && given?.open === true);
  return {
    rule,
    given,
    access: open
      ? 'open'
      : rule === 'off'
        ? 'off'
        : given?.state === 'asked' || given?.state === 'refused'
          ? given.state
          : 'ask',
  };
}
