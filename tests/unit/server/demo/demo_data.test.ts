import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addDays, addMonths, financialYear } from '../../../../src/server/platform/demo/dates.ts';
import { acmeData, zenithData } from '../../../../src/server/platform/demo/demo_data.ts';
import { gstin, gstinCheckCharacter } from '../../../../src/server/platform/demo/registrations.ts';
import type { DemoData, Places, Row } from '../../../../src/server/platform/demo/shapes.ts';
import { geography } from '../../../../src/server/platform/reference/geography.ts';

const TODAY = '2026-06-10';
const { countries, states, cities } = geography();

function position(found: number, what: string): number {
  if (found < 0) throw new Error(`The geography has no ${what}.`);
  return found + 1;
}
const places: Places = {
  country: (code) =>
    position(
      countries.findIndex((row) => row.code === code),
      code,
    ),
  state: (code) =>
    position(
      states.findIndex((row) => row.country === 'IN' && row.code === code),
      code,
    ),
  city: (state, name) =>
    position(
      cities.findIndex((row) => row.state === state && row.name === name),
      `${state}/${name}`,
    ),
};

const acme = acmeData(TODAY, places);
const of = (data: DemoData, type: string): Row[] => data.rows.get(type) ?? [];
const people = of(acme, 'employee');
const byId = new Map(people.map((person) => [person.id, person]));

function managers(person: Row): number[] {
  const line: number[] = [];
  for (
    let id = person.reporting_to_id as number | null;
    id !== null;
    id = (byId.get(id)?.reporting_to_id as number | null) ?? null
  ) {
    if (line.includes(id)) throw new Error(`Circle at ${id}`);
    line.push(id);
  }
  return line;
}

describe('the demo companies', () => {
  it('are the same each time and differ only in dates from day to day', () => {
    const hash = (data: DemoData) =>
      createHash('sha256')
        .update(JSON.stringify([[...data.rows], data.signIns]))
        .digest('hex');
    expect(hash(acmeData(TODAY, places))).toBe(hash(acme));
    expect(hash(zenithData(TODAY, places))).toBe(hash(zenithData(TODAY, places)));
    expect(of(acmeData(addDays(TODAY, 1), places), 'employee').map(({ name }) => name)).toEqual(
      people.map(({ name }) => name),
    );
  });

  it('have about four hundred people on five levels', () => {
    expect(people.length).toBeGreaterThan(370);
    expect(people.length).toBeLessThan(430);
    const depth = Math.max(...people.map((person) => managers(person).length));
    expect(depth).toBe(4);
    expect(
      people.filter(({ designation_id }) => of(acme, 'designation')[(designation_id as number) - 1]?.code === 'TEC'),
    ).toHaveLength(60);
  });

  it('have one head each, and one person without a manager', () => {
    for (const company of [1, 2, 3]) {
      const heads = people.filter((person) => person.entity_id === company && person.reporting_to_id === null);
      expect(
        heads
          .map(({ designation_id }) => of(acme, 'designation')[(designation_id as number) - 1]?.code)
          .toSorted((a, b) => String(a).localeCompare(String(b))),
      ).toEqual(company === 1 ? ['CHM', 'QAE'] : ['CEO']);
    }
  });

  it('have active managers in the same company', () => {
    for (const person of people) {
      const manager = person.reporting_to_id === null ? undefined : byId.get(person.reporting_to_id as number);
      if (!manager) continue;
      expect(manager.entity_id).toBe(person.entity_id);
      expect(manager.status).toBe('active');
      expect((person.dob as string) < (person.date_of_joining as string)).toBe(true);
    }
  });

  it('satisfy the rules of the employee list', () => {
    expect(new Set(people.map((person) => `${person.entity_id}/${person.empno}`)).size).toBe(people.length);
    expect(new Set(people.map(({ work_email }) => work_email)).size).toBe(people.length);
    expect(new Set(people.map(({ mobile }) => mobile)).size).toBe(people.length);
    for (const person of people) {
      expect(addMonths(person.dob as string, 18 * 12) <= (person.date_of_joining as string)).toBe(true);
      expect((person.date_of_joining as string) <= TODAY).toBe(true);
      expect(person.name).toBe(`${person.first_name as string} ${person.last_name as string}`);
      expect(person.probation_end).toBe(addMonths(person.date_of_joining as string, person.probation_months as number));
      if (person.status === 'left')
        expect((person.date_of_leaving as string) > (person.date_of_joining as string)).toBe(true);
      expect(person.pan).toMatch(/^[A-Z]{3}P[A-Z][0-9]{4}[A-Z]$/);
    }
    expect(people.filter(({ status }) => status === 'on_notice')).toHaveLength(1);
    expect(people.filter(({ status }) => status === 'left')).toHaveLength(6);
  });

  it('have valid GST registrations of their states', () => {
    const registered = [...of(acme, 'entity'), ...of(acme, 'branch'), ...of(acme, 'outlet')];
    for (const { gstin: number } of registered) {
      expect(number).toMatch(/^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/);
      expect(gstinCheckCharacter((number as string).slice(0, 14))).toBe((number as string).charAt(14));
    }
    for (const { state_id, gstin: number } of [...of(acme, 'entity'), ...of(acme, 'branch')])
      expect((number as string).slice(0, 2)).toBe(states[(state_id as number) - 1]?.gst_code);
    expect(
      new Set(
        of(acme, 'branch')
          .filter(({ entity_id }) => entity_id === 1)
          .map(({ gstin: number }) => number),
      ).size,
    ).toBe(4);
  });

  it('refer only to existing rows of their company', () => {
    const target: Record<string, string> = {
      branch_id: 'branch',
      department_id: 'department',
      subdepartment_id: 'subdepartment',
      designation_id: 'designation',
      grade_id: 'employee_grade',
      function_id: 'function',
      head_id: 'employee',
      parent_branch_id: 'branch',
      parent_department_id: 'department',
      region_id: 'region',
      zone_id: 'zone',
      subregion_id: 'subregion',
      district_id: 'district',
      user_id: 'users',
      employee_id: 'employee',
      leaving_reason_id: 'reason',
      skillsgroup_id: 'skillsgroup',
    };
    for (const [type, rows] of acme.rows)
      for (const row of rows)
        for (const [field, to] of Object.entries(target)) {
          const id = row[field];
          if (typeof id !== 'number') continue;
          const found = of(acme, to)[id - 1];
          expect(found, `${type}.${field} ${id}`).toBeDefined();
          if (row.entity_id !== undefined && found?.entity_id !== undefined)
            expect(found.entity_id, `${type} ${row.id}.${field}`).toBe(row.entity_id);
        }
  });

  it('have one sign-in of each kind', () => {
    const users = of(acme, 'users');
    expect(users).toHaveLength(50);
    expect(new Set(users.map(({ username }) => username)).size).toBe(50);
    for (const { username } of users) expect(username).toMatch(/^[a-z0-9._-]{3,50}$/);
    for (const name of [
      'admin',
      'chairman',
      'ceo',
      'secretary',
      'manager',
      'employee',
      'technician',
      'dispatcher',
      'storekeeper',
      'sales',
      'accountant',
    ])
      expect(acme.signIns.find(({ username }) => username === name)?.what, name).toBeTruthy();
    const mapped = (username: string) =>
      users.find((user) => user.username === username)?.companies as { branch_id: number | null }[];
    expect(mapped('admin')).toHaveLength(3);
    expect(mapped('nocompany')).toHaveLength(0);
    expect(mapped('auditor').every(({ branch_id }) => branch_id === null)).toBe(true);
    expect(users.filter(({ status }) => status === 'disabled')).toHaveLength(1);
  });
});

describe('registrations and dates', () => {
  it.each([
    ['27AAPFU0939F1Z', 'V'],
    ['33AAACA1234B1Z', 'P'],
    ['29AAACA1234B1Z', 'E'],
  ])('%s ends in %s', (first, last) => {
    expect(gstinCheckCharacter(first)).toBe(last);
  });

  it('builds a GSTIN from state and PAN', () => {
    expect(gstin('33', 'AAACA1234B')).toBe('33AAACA1234B1ZP');
  });

  it('clips to the end of the month', () => {
    expect(addMonths('2024-08-31', 6)).toBe('2025-02-28');
    expect(addMonths('2025-01-15', 6)).toBe('2025-07-15');
  });

  it('starts the financial year in April', () => {
    expect(financialYear('2026-03-31')).toBe('2025-2026');
    expect(financialYear('2026-04-01')).toBe('2026-2027');
  });
});
