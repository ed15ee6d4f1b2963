import { describe, expect, it } from 'vitest';
import { banks } from '../../../../src/server/platform/reference/banks.ts';

const list = banks();
const bank = (code: string) => list.find((one) => one.code === code);

describe('banks', () => {
  it('knows the banks people have accounts with', () => {
    expect(list.length).toBeGreaterThan(1_400);
    expect(bank('SBIN')).toMatchObject({ name: 'State Bank of India', kind: 'public', upi: true });
    expect(bank('HDFC')).toMatchObject({ name: 'HDFC Bank', kind: 'private', ifsc: 'HDFC0999999', micr: '400240001' });
    for (const code of ['ICIC', 'UTIB', 'IDIB', 'IOBA', 'CNRB', 'KVBL', 'TMBL', 'CIUB'])
      expect(bank(code), code).toBeDefined();
  });

  it('has every IFSC prefix once, in a form that the list of banks accepts', () => {
    expect(new Set(list.map(({ code }) => code)).size).toBe(list.length);
    for (const { code, name, ifsc, micr } of list) {
      expect(code).toMatch(/^[A-Z]{4}$/);
      expect(name.length, code).toBeGreaterThan(2);
      if (ifsc) expect(ifsc, code).toMatch(/^[A-Z]{4}0[A-Z0-9]{6}$/);
      if (micr) expect(micr, code).toMatch(/^\d{9}$/);
    }
  });

  it('keeps banks with only a known name', () => {
    expect(bank('DOHB')).toMatchObject({ kind: null, ifsc: null, micr: null, upi: false });
  });
});
