import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { fieldType } from '../../../src/descriptor/fieldtypes/registry.ts';
import { USUAL_PLACE, momentIn, zoneOf } from '../../../src/descriptor/place.ts';
import type { Field, Screen } from '../../../src/descriptor/types.ts';
import { checkRules } from '../../../src/descriptor/validate.ts';
import type { Tenant } from '../../../src/server/db/tenant.ts';
import { systemSession } from '../../../src/server/engine/events/system_session.ts';
import { PrintValues } from '../../../src/server/engine/print/print_values.ts';
import type { Unit } from '../../../src/server/engine/records/unit.ts';
import { dayOfRecord } from '../../../src/server/engine/records/day_of_record.ts';
import { wordValues } from '../../../src/server/platform/escalation/words.ts';
import { atPlace, dayIn, inZone, inZones, placeOf } from '../../../src/server/services/clock/client_day.ts';
import { localMoment } from '../../../src/server/engine/excel/cell_text.ts';
import { findErrors } from '../../../src/server/engine/records/validate_record.ts';
import { screenOf } from '../descriptor/fixtures/compile_sample.ts';

// Half past midnight in India, seven in the evening of the day before in London's winter.
const NIGHT = Date.parse('2026-11-21T19:00:00Z');

describe('the client’s day', () => {
  it('is in the client’s time zone', () => {
    expect(['Asia/Kolkata', 'UTC', 'America/New_York', 'Pacific/Kiritimati'].map((zone) => dayIn(zone, NIGHT))).toEqual(
      ['2026-11-22', '2026-11-21', '2026-11-21', '2026-11-22'],
    );
    expect(dayIn('Asia/Kolkata', Date.parse('2026-11-21T18:29:59.999Z'))).toBe('2026-11-21');
    expect(dayIn('Asia/Kolkata', Date.parse('2026-11-21T18:30:00Z'))).toBe('2026-11-22');
  });

  it('is in the financial year of the record’s company, whoever looks at it', () => {
    const screen = screenOf(
      {
        scope: 'entity',
        rules: [{ assert: "financial_year(on) == '2026-2027'", message: 'Another year.', field: 'on' }],
      },
      { on: { $ref: 'types#date' } },
    );
    const zones = { client: 'Asia/Kolkata', companies: {}, branches: {}, yearStarts: { 1: 4, 2: 7 } };
    const wrong = (company: number, on: string) =>
      atPlace(
        { ...USUAL_PLACE, zones, entityId: 1, fyStartMonth: 4 },
        () => checkRules(screen, { on, entity_id: company }).length,
      );
    expect([wrong(1, '2026-04-01'), wrong(2, '2026-04-01'), wrong(2, '2026-07-01'), wrong(1, '2027-03-31')]).toEqual([
      0, 1, 0, 0,
    ]);
  });

  it('is used as today in rules, also after waiting; other requests are unaffected', async () => {
    vi.useFakeTimers({ now: NIGHT, toFake: ['Date'] });
    const screen = screenOf(
      { rules: [{ assert: 'on <= today()', message: 'Not in the future.', field: 'on' }] },
      { on: { $ref: 'types#date' } },
    );
    const errors = () => findErrors(screen, { code: 'A', name: 'A', on: '2026-11-22' }).map(({ message }) => message);
    const later = async () => {
      await Promise.resolve();
      return errors();
    };
    expect(
      await Promise.all([
        inZone('Asia/Kolkata', later),
        inZone('America/New_York', later),
        inZone('Asia/Kolkata', later),
      ]),
    ).toEqual([[], ['Not in the future.'], []]);
    vi.useRealTimers();
  });

  it('of a record is in its branch’s zone, otherwise the company’s, otherwise the client’s', () => {
    vi.useFakeTimers({ now: NIGHT, toFake: ['Date'] });
    const screen = screenOf(
      { scope: 'entity', rules: [{ assert: 'on <= today()', message: 'Not in the future.', field: 'on' }] },
      { on: { $ref: 'types#date' } },
    );
    const zones = {
      client: 'America/New_York',
      companies: { 1: 'Asia/Kolkata' },
      branches: { 5: 'America/New_York' },
    };
    const wrong = (more: object, entityId: number) =>
      atPlace(
        { ...USUAL_PLACE, timezone: 'Asia/Kolkata', zones, entityId },
        () => checkRules(screen, { on: '2026-11-22', ...more }).length,
      );
    expect([wrong({ branch_id: 5 }, 1), wrong({ branch_id: 6 }, 1), wrong({}, 1), wrong({}, 2)]).toEqual([1, 0, 0, 1]);
    expect([zoneOf({ branchId: 5, entityId: 1 }, zones), zoneOf({ entityId: 1 }, zones), zoneOf({}, zones)]).toEqual([
      'America/New_York',
      'Asia/Kolkata',
      'America/New_York',
    ]);
    vi.useRealTimers();
  });
});

describe('a date and time', () => {
  const moment = fieldType('datetime');
  const at = <T>(timezone: string, work: () => T) => atPlace({ ...USUAL_PLACE, timezone }, work);

  it('is shown, read and exported in the place’s time zone, whatever the machine’s', () => {
    const utc = new Date(NIGHT).toISOString();
    const field = {} as Field;
    expect(at('Asia/Kolkata', () => moment.format(utc, field))).toBe('22-11-2026 12:30 AM');
    expect(at('America/New_York', () => moment.format(utc, field))).toBe('21-11-2026 02:00 PM');
    expect(at('America/New_York', () => moment.parse('21-11-2026 14:00', field))).toEqual({ value: utc });
    const cell = at('Asia/Kolkata', () => moment.excel!.write!(utc, field)) as Date;
    expect(cell.toISOString()).toBe('2026-11-22T00:30:00.000Z');
    expect(at('Asia/Kolkata', () => localMoment(cell).toISOString())).toBe(utc);
  });

  it('follows daylight saving time', () => {
    expect(
      ['2026-03-08T01:59', '2026-03-08T03:00', '2026-11-01T12:00'].map((clock) =>
        new Date(momentIn('America/New_York', clock)).toISOString(),
      ),
    ).toEqual(['2026-03-08T06:59:00.000Z', '2026-03-08T07:00:00.000Z', '2026-11-01T17:00:00.000Z']);
    // Half past two is skipped where summer time begins: half past three, west and east of Greenwich.
    const skipped = { 'America/New_York': '2026-03-08T02:30', 'Europe/Berlin': '2026-03-29T02:30' };
    expect(Object.entries(skipped).map(([zone, clock]) => new Date(momentIn(zone, clock)).toISOString())).toEqual([
      '2026-03-08T07:30:00.000Z',
      '2026-03-29T01:30:00.000Z',
    ]);
  });
});

describe('text about a record', () => {
  const zones = {
    client: 'Asia/Kolkata',
    companies: { 2: 'Europe/London' },
    branches: { 5: 'America/New_York' },
    currencies: { 1: 'INR', 2: 'GBP' },
  };
  const screens = new Map<string, Screen>();
  const tenant = { timezone: 'Asia/Kolkata' } as Tenant;
  const at = new Date(NIGHT).toISOString();
  const records = [{ branch_id: 5, entity_id: 2 }, { entity_id: 2 }, { entity_id: 1 }];

  it('in a mail or a print uses the times of its branch, otherwise its company, whoever creates it', async () => {
    const session = systemSession(tenant, null, null);
    const texts = records.map((record) =>
      inZones(zones, () => new PrintValues(session, screens, record).text('created_at', [], { created_at: at })),
    );
    expect(await Promise.all(texts)).toEqual(['21-11-2026 02:00 PM', '21-11-2026 07:00 PM', '22-11-2026 12:30 AM']);
  });

  it('in a message of Mail configuration too, with amounts in its own or its company’s currency', async () => {
    const screen = screenOf(
      { scope: 'entity' },
      {
        met: { $ref: 'types#datetime' },
        sum: { $ref: 'types#money' },
        paid_in: { $ref: 'types#text', maxLength: 3, pattern: '^[A-Z]{3}$' },
        paid: { $ref: 'types#money', 'x-currency': 'paid_in' },
      },
    );
    const fields = new Map(screen.fields.map((field) => [field.name, field]));
    const said = (record: object) =>
      inZones(zones, () =>
        wordValues({ ...tenant, schema: 's' }, screens, fields, ['met', 'sum', 'paid'], {
          met: at,
          sum: '1234567.5',
          paid: '5',
          paid_in: 'USD',
          ...record,
        }),
      );
    expect(await Promise.all(records.map(said))).toEqual([
      { met: '21-11-2026 02:00 PM', sum: '£1,234,567.50', paid: '$5.00' },
      { met: '21-11-2026 07:00 PM', sum: '£1,234,567.50', paid: '$5.00' },
      { met: '22-11-2026 12:30 AM', sum: '₹12,34,567.50', paid: '$5.00' },
    ]);
  });

  it('written by the product uses the company that it is written for', () => {
    const place = (company: number | null) => inZones(zones, () => placeOf(systemSession(tenant, company, null)));
    expect([2, 1, null].map((company) => [place(company).timezone, place(company).currency])).toEqual([
      ['Europe/London', 'GBP'],
      ['Asia/Kolkata', 'INR'],
      ['Asia/Kolkata', 'INR'],
    ]);
    const unit = { session: systemSession(tenant, 2, null), now: new Date(NIGHT) } as Unit;
    const abroad = { ...zones, companies: { 2: 'Pacific/Kiritimati' } };
    const days = [{}, { branch_id: 5 }].map((record) => inZones(abroad, () => dayOfRecord(unit, record)));
    expect(days).toEqual(['2026-11-22', '2026-11-21']);
  });
});

describe('the program', () => {
  // The database and the machine have a day of their own, and not every company's year begins in April.
  const FIXED = {
    'asks for the day of the company': /current_date|(?:\bnow|new Date\(\))\.toISOString\(\)\.slice\(0, 10\)/,
    'writes money as the company does': /₹|toLocaleString\('en-IN'|NumberFormat\('en-IN', \{ (?:min|max)/,
    'has no zone of its own': /\+05:30|interval '5 hours 30/,
    'begins no year in April by itself': /slice\(5, 7\)\)? *[<>]=? *'?0?4\b/,
  };
  // The demo company is in India; the check of views names the word that it refuses.
  const LEFT = /^server\/platform\/demo\/|^descriptor\/(?:words\/|view_sql)/;

  it.each(Object.entries(FIXED))('%s', (_rule, pattern) => {
    const src = join(import.meta.dirname, '../../../src');
    const found = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !LEFT.test(file))
      .flatMap((file) =>
        readFileSync(join(src, file), 'utf8')
          .split('\n')
          .filter(
            (line) =>
              !/^\s*(?:\*|\/[/*])/.test(line) && pattern.test(line.replace(/\/\/.*|(?:as|such as) \S+\+05:30/, '')),
          )
          .map((line) => `${file}: ${line.trim()}`),
      );
    expect(found).toEqual([]);
  });
});
