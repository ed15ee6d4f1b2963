import { describe, expect, it, vi } from 'vitest';
import { dayIn, inZone } from '../../../src/server/client_day.ts';
import { findErrors } from '../../../src/server/records/validate_record.ts';
import { screenOf } from '../descriptor/fixtures/compile_sample.ts';

// Half past midnight in India, seven in the evening of the day before in London's winter.
const NIGHT = Date.parse('2026-11-21T19:00:00Z');

describe('the day of a client', () => {
  it('is the one where the client is', () => {
    expect(['Asia/Kolkata', 'UTC', 'America/New_York', 'Pacific/Kiritimati'].map((zone) => dayIn(zone, NIGHT))).toEqual(
      ['2026-11-22', '2026-11-21', '2026-11-21', '2026-11-22'],
    );
    expect(dayIn('Asia/Kolkata', Date.parse('2026-11-21T18:29:59.999Z'))).toBe('2026-11-21');
    expect(dayIn('Asia/Kolkata', Date.parse('2026-11-21T18:30:00Z'))).toBe('2026-11-22');
  });

  it('is what rules mean by today, also after waiting; others are not touched by it', async () => {
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
});
