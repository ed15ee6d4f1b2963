import type { PageType } from '../../../descriptor/types.ts';
import { announceRights } from '../../db/announce.ts';
import type { Queryable } from '../../db/database.ts';
import { PAGE_TYPES } from '../../access/rights/rights.ts';

const READ: readonly PageType[] = ['landing', 'view_screen'];
const ADD: readonly PageType[] = ['landing', 'view_screen', 'add_screen'];

interface UserType {
  code: string;
  name: string;
  isSuper?: boolean;
  /** Screens without COMMON_SCN_, and the pages of each. */
  screens: [string[], readonly PageType[]][];
}

const LIBRARIES = [
  'FUNCTION',
  'SKILLS_GROUP',
  'COMPETENCIES',
  'DEPT',
  'DESIG',
  'ROLE_ASSIGNMENTS_GROUP',
  'KPIROLES',
  'TKT_SERVICE_CATEGORY',
  'CHK_LIBRARY',
  'PROCESS',
  'INDUSTRY',
  'BENCH_MARKING',
];

/** The predefined platform user types, with their rights (platform_admin.md §3.8). */
const USER_TYPES: readonly UserType[] = [
  { code: 'SUPER', name: 'Platform administrator', isSuper: true, screens: [] },
  {
    code: 'SUPPORT',
    name: 'Support',
    screens: [
      [
        [
          'ADMIN_LANDING',
          'CLIENT',
          'SUPPORT_ACCESS',
          'COMMON_USER',
          'DASHBOARD_LANDING',
          'DASHBOARD_ORO',
          'OASISDASHBOARD',
        ],
        READ,
      ],
      [['CONTACTS'], PAGE_TYPES],
    ],
  },
  {
    code: 'CONTENT',
    name: 'Content',
    screens: [
      [['ADMIN_LANDING'], READ],
      [[...LIBRARIES, 'ASSETS', 'IMAGE', 'BLOG', 'BLOG_SECT_CATEG'], PAGE_TYPES],
    ],
  },
  {
    code: 'SALES',
    name: 'Sales',
    screens: [
      [['ADMIN_LANDING', 'PRODUCT', 'PARTNER', 'INDUSTRY'], READ],
      [['CLIENT'], ADD],
      [['LEAD_SOURCE', 'CAMPAIGN', 'LEAD', 'CONTACTS'], PAGE_TYPES],
    ],
  },
  {
    code: 'PARTNER',
    name: 'Partner',
    screens: [
      [['ADMIN_LANDING', 'CLIENT'], READ],
      [['LEAD'], PAGE_TYPES],
    ],
  },
];

/** Creates the missing user types, with their rights; existing ones are unchanged. */
export async function writeUserTypes(on: Queryable): Promise<void> {
  for (const { code, name, isSuper = false, screens } of USER_TYPES) {
    const [made] = await on.query<{ id: number }>(
      'insert into public.user_type (code, name, is_super) values ($1, $2, $3) on conflict do nothing returning id',
      [code, name, isSuper],
    );
    if (!made) continue;
    const rights = screens.flatMap(([list, pages]) =>
      list.map((screen) => ({
        screen_code: `COMMON_SCN_${screen}`,
        ...Object.fromEntries(PAGE_TYPES.map((page) => [page, pages.includes(page)])),
      })),
    );
    await on.query(
      `insert into public.common_right (user_type_id, screen_code, ${PAGE_TYPES.join(', ')})
       select $1, screen_code, ${PAGE_TYPES.join(', ')} from jsonb_to_recordset($2::jsonb) as r(screen_code text, ${PAGE_TYPES.map((page) => `${page} boolean`).join(', ')})`,
      [made.id, JSON.stringify(rights)],
    );
    await announceRights(on, 'public');
  }
}
