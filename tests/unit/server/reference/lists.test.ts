import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HSN_CODES, SAC_CODES } from '../../../../src/server/platform/reference/hs_codes.ts';
import { currencies } from '../../../../src/server/platform/reference/lists.ts';
import { UNITS } from '../../../../src/server/platform/reference/units.ts';

it('knows the currencies of the world with their decimals', () => {
  const all = currencies();
  expect(all.length).toBeGreaterThan(140);
  expect(all.find(({ iso_code: code }) => code === 'INR')).toMatchObject({ symbol: '₹', decimals: 2 });
  expect(all.find(({ iso_code: code }) => code === 'JPY')?.decimals).toBe(0);
  expect(all.find(({ iso_code: code }) => code === 'KWD')?.decimals).toBe(3);
  expect(new Set(all.map(({ iso_code: code }) => code)).size).toBe(all.length);
  expect(all.some(({ iso_code: code }) => code === 'XAU' || code === 'XTS')).toBe(false);
});

it('has every chapter of the tariff except 77, which is reserved, and no code twice', () => {
  const chapters = HSN_CODES.filter(([code]) => code.length === 2).map(([code]) => Number(code));
  expect(chapters).toEqual(Array.from({ length: 97 }, (_, at) => at + 1).filter((one) => one !== 77));
  const codes = [...HSN_CODES, ...SAC_CODES].map(([code]) => code);
  expect(new Set(codes).size).toBe(codes.length);
  for (const [code] of HSN_CODES) expect(chapters).toContain(Number(code.slice(0, 2)));
  for (const [code] of SAC_CODES) expect(code).toMatch(/^99\d{2}(\d{2})?$/);
});

it('has units with distinct codes and names', () => {
  expect(new Set(UNITS.map(([code]) => code)).size).toBe(UNITS.length);
  expect(new Set(UNITS.map(([, name]) => name)).size).toBe(UNITS.length);
  // Every code of GST returns has its unit, and none has another code.
  const { $defs } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../schemas/types.json'), 'utf8')) as {
    $defs: { uqc: { enum: string[] } };
  };
  expect([...new Set(UNITS.map(([, , uqc]) => uqc))].sort()).toEqual([...$defs.uqc.enum].sort());
});
