import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../context.ts';
import { treeTable } from '../../db/names.ts';

/** The type whose records are the people of a company. */
export const PEOPLE = 'employee';

/** The fields people may change in their own record, unless the employee field setting says otherwise. */
const OWN_FIELDS = new Set([
  'mobile',
  'alternate_phone',
  'personal_email',
  'current_address',
  'emergency',
  'photo',
  'blood_group',
]);

/** The fields that the setting may open to people themselves: none that affect pay, place or rights. */
const MAY_BE_OWN = new Set([
  ...OWN_FIELDS,
  'title',
  'first_name',
  'middle_name',
  'last_name',
  'gender',
  'dob',
  'marital_status',
  'nationality',
  'permanent_address',
]);

/** The personal fields of a record in display order, with the company's titles. */
const PERSONAL: { title: string; fields: string[] }[] = [
  {
    title: 'About me',
    fields: [
      'photo',
      'title',
      'first_name',
      'middle_name',
      'last_name',
      'gender',
      'dob',
      'blood_group',
      'marital_status',
      'nationality',
    ],
  },
  {
    title: 'Contact',
    fields: ['mobile', 'alternate_phone', 'work_email', 'personal_email', 'current_address', 'permanent_address'],
  },
  { title: 'Emergency contact', fields: ['emergency'] },
];

/** Job data: visible, but never changed by the person. */
export const WORK_FIELDS = [
  'empno',
  'designation_id',
  'department_id',
  'branch_id',
  'reporting_to_id',
  'date_of_joining',
  'employment_type',
];

export interface PersonalField {
  field: Field;
  editable: boolean;
}

/**
 * The visible groups of a person's own record, and the fields they may change. `screens` are those of the person's
 * client.
 */
export function personalFields(screens: ReadonlyMap<string, Screen>): { title: string; fields: PersonalField[] }[] {
  const people = screens.get(PEOPLE);
  if (!people) return [];
  const groups = PERSONAL.map(({ title, fields }) => ({
    title,
    fields: fields.flatMap(
      (name) => people.fields.find((field) => field.name === name && !field.secret && !field.masked) ?? [],
    ),
  }));
  for (const field of people.fields) {
    if (!field.custom || field.masked) continue;
    const tab = people.form.tabs.find(({ sections }) =>
      sections.some((section) => section.fields.includes(field.name)),
    )?.title;
    const group = tab === 'Contact' ? 'Contact' : tab === 'Personal' || field.byPerson === true ? 'About me' : null;
    groups.find(({ title }) => title === group)?.fields.push(field);
  }
  return groups
    .map(({ title, fields }) => ({
      title,
      fields: fields.map((field) => {
        const editable = mayBeOwn(field) && !field.readOnly && (field.byPerson ?? OWN_FIELDS.has(field.name));
        return { field: { ...field, readOnly: !editable }, editable };
      }),
    }))
    .filter(({ fields }) => fields.length > 0);
}

/** Whether a setting may hand a field to people themselves. */
export function mayBeOwn({ name, custom }: Pick<Field, 'name' | 'custom'>): boolean {
  return custom === true || MAY_BE_OWN.has(name);
}

/**
 * The session for reading and changing the person's own record: only that one, in its company, whatever the role allows
 * elsewhere.
 */
export function asSelf(session: Session, entityId: number): Session {
  return {
    ...session,
    entityId,
    rights: {
      isAdmin: false,
      version: session.rights.version,
      refuse: () => null,
      refuseAction: () => null,
      dataScope: () => 'own',
    },
  };
}

/** Whether a person is the session's own or a subordinate at any level. */
export async function isOwnOrBelow(session: Session, id: number): Promise<boolean> {
  if (session.employeeId === null) return false;
  if (id === session.employeeId) return true;
  const rows = await session.tenant.db.query(
    `select 1 from ${treeTable(session.tenant.schema, PEOPLE)} where ancestor_id = $1 and descendant_id = $2`,
    [session.employeeId, id],
  );
  return rows.length > 0;
}

/** Whether an uploaded picture is for the person's own record, if people may change it themselves. */
export function maySendOwnPhoto(session: Session, path: string, screens: ReadonlyMap<string, Screen>): boolean {
  if (path !== `${PEOPLE}.photo` || session.employeeId === null) return false;
  return personalFields(screens).some(({ fields }) =>
    fields.some(({ field, editable }) => editable && field.name === 'photo'),
  );
}
