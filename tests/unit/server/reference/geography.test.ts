import { describe, expect, it } from 'vitest';
import { geography } from '../../../../src/server/platform/reference/geography.ts';

const { countries, states, cities } = geography();

describe('geography', () => {
  it('knows every country with its dial code', () => {
    expect(countries.length).toBeGreaterThan(240);
    expect(countries.find(({ code }) => code === 'IN')).toMatchObject({
      name: 'India',
      dial_code: '+91',
      currency: 'INR',
      saarc: true,
    });
    expect(
      countries
        .filter(({ saarc }) => saarc)
        .map(({ code }) => code)
        .sort(),
    ).toEqual(['AF', 'BD', 'BT', 'IN', 'LK', 'MV', 'NP', 'PK']);
  });

  it('gives each of the 36 Indian states its own GST code', () => {
    const indian = states.filter(({ country }) => country === 'IN');
    expect(indian).toHaveLength(36);
    expect(new Set(indian.map(({ gst_code }) => gst_code)).size).toBe(36);
    expect(indian.find(({ code }) => code === 'TN')).toMatchObject({
      name: 'Tamil Nadu',
      gst_code: '33',
      union_territory: false,
    });
  });

  it('lists the cities of India under their states', () => {
    expect(cities.filter(({ population }) => population >= 15_000).length).toBeGreaterThan(2_400);
    for (const [state, name] of [
      ['TN', 'Chennai'],
      ['TN', 'Coimbatore'],
      ['KA', 'Mysuru'],
      ['KL', 'Kochi'],
      ['TS', 'Hyderabad'],
      ['MH', 'Nagpur'],
      ['WB', 'Kolkata'],
    ])
      expect(
        cities.some((city) => city.state === state && city.name === name),
        `${state}/${name}`,
      ).toBe(true);
    expect(new Set(cities.map(({ state, name }) => `${state}/${name}`)).size).toBe(cities.length);
  });
});
