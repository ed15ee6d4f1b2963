import { describe, expect, it } from 'vitest';
import { dayIn } from '../../../../src/server/services/clock/client_day.ts';
import { phaseOn, subscriptionOf } from '../../../../src/server/db/subscription.ts';

describe('a subscription until 31-03-2025 with 15 days of grace', () => {
  it.each([
    ['2025-03-15', 'running'],
    ['2025-03-16', 'ending'],
    ['2025-04-15', 'ending'],
    ['2025-04-16', 'ended'],
    ['2025-05-15', 'ended'],
    ['2025-05-16', 'over'],
  ])('is on %s %s', (today, phase) => {
    expect(phaseOn('2025-03-31', today, 15)).toBe(phase);
  });

  it('without a last day never ends', () => {
    expect(phaseOn(null, '2099-01-01', 15)).toBe('running');
  });

  it('changes at the client’s midnight, when it is checked again', () => {
    const client = {
      products: ['FMS', 'TKT'],
      validTo: null,
      graceDays: 15,
      terms: { FMS: { to: '2025-03-31' }, TKT: { from: '2025-05-01' } },
      timezone: 'Asia/Kolkata',
    };
    const before = new Date('2025-04-15T18:20:00Z');
    expect(dayIn('Asia/Kolkata', before.getTime())).toBe('2025-04-15');
    expect(subscriptionOf(client, before)).toMatchObject({
      products: ['FMS'],
      ended: null,
      notices: [
        'The subscription to Field service ended on 31-03-2025 and works until 15-04-2025. Ask for it to be renewed.',
      ],
      until: Date.parse('2025-04-15T18:30:00Z'),
    });
    expect(subscriptionOf(client, new Date('2025-04-15T18:30:00Z'))).toMatchObject({
      products: [],
      ended: {
        all: null,
        products: {
          FMS: 'The subscription to Field service ended on 31-03-2025. Please renew it; the data is kept.',
        },
      },
      notices: [],
    });
    expect(subscriptionOf(client, new Date('2025-05-20T00:00:00Z'))).toMatchObject({ products: ['TKT'], ended: null });
  });

  it('is robust against any time zone text', () => {
    expect(
      subscriptionOf(
        { products: ['FMS'], validTo: null, graceDays: 15, terms: {}, timezone: 'Chennai' },
        new Date('2025-04-01T06:00:00Z'),
      ).products,
    ).toEqual(['FMS']);
  });

  it('of the whole client closes everything', () => {
    const client = { products: ['FMS'], validTo: '2025-03-31', graceDays: 0, terms: {}, timezone: 'Asia/Kolkata' };
    expect(subscriptionOf(client, new Date('2025-04-01T06:00:00Z')).ended?.all).toContain(
      'The subscription ended on 31-03-2025',
    );
  });
});
