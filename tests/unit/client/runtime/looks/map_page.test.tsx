import { fireEvent, screen as page, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetSession } from '../../../../../src/client/app/session.ts';
import MapPage from '../../../../../src/client/runtime/looks/map/MapPage.tsx';
import {
  boxOf,
  distance,
  distanceInWords,
  fromPixels,
  gridStep,
  metresPerPixel,
  sightOf,
  toPixels,
} from '../../../../../src/client/runtime/looks/map/places.ts';
import { tilesOf } from '../../../../../src/client/runtime/looks/map/tiles.ts';
import type { FakeCall } from '../../app/fetch_fake.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { openPage } from '../page_harness.tsx';
import '../patience.ts';
import { withoutSizes } from '../resize_observer.ts';
import { depotScreen, field } from '../screen_fixture.ts';

const chennai = { lat: 13.0827, lng: 80.2707 };
const bengaluru = { lat: 12.9716, lng: 77.5946 };
const screen = depotScreen({
  fields: [field('name', 'name'), field('geo', 'geo'), field('stop', 'integer'), field('route', 'text')],
  label: ['name'],
  card: [],
  filters: [],
  looks: { map: { at: 'geo', order: 'stop', lane: 'route' } },
});

function serve(cursor: string | null = null, tiles: object | null = null): FakeCall[] {
  const row = (id: number, name: string, geo: object, route: string) => ({
    id,
    version: 1,
    active: true,
    name,
    geo,
    stop: id,
    route,
  });
  return fakeFetch({
    'GET /tapi/map_tiles': () => ({ body: { data: tiles } }),
    'GET /tapi/depot': () => ({
      body: {
        data: [
          row(1, 'Chennai', chennai, 'South'),
          row(2, 'Bengaluru', bengaluru, 'South'),
          row(3, 'Pune', { lat: 18.5204, lng: 73.8567 }, 'West'),
        ],
        pagination: { has_next: false, more: false },
        // Five hundred are read, no more.
        cursor,
      },
    }),
  });
}

beforeEach(() => withoutSizes());
afterEach(() => {
  vi.unstubAllGlobals();
  forgetSession();
});

describe('places', () => {
  it('have real distances', () => {
    expect(distance(chennai, chennai)).toBe(0);
    // Great circle from Chennai to Bengaluru: 290 km.
    expect(distance(chennai, bengaluru) / 1000).toBeCloseTo(290.2, 0);
    expect([849, 12_440, 1_234_000].map(distanceInWords)).toEqual(['850 m', '12.4 km', '1,234 km']);
  });

  it('are recovered from their pixels', () => {
    const point = fc.record({
      lat: fc.double({ min: -80, max: 80, noNaN: true }),
      lng: fc.double({ min: -179, max: 179, noNaN: true }),
    });
    fc.assert(
      fc.property(point, fc.integer({ min: 2, max: 19 }), (one, zoom) => {
        const back = fromPixels(toPixels(one, zoom), zoom);
        expect(back.lat).toBeCloseTo(one.lat, 6);
        expect(back.lng).toBeCloseTo(one.lng, 6);
      }),
    );
  });

  it('are all visible at first, and the grid has round steps', () => {
    const sight = sightOf([chennai, bengaluru], 800, 600);
    const [south, west, north, east] = boxOf(sight, 800, 600).split(',').map(Number);
    for (const { lat, lng } of [chennai, bengaluru])
      expect(lat > south! && lat < north! && lng > west! && lng < east!).toBe(true);
    const step = gridStep(sight);
    expect([1, 2, 5]).toContain(step / 10 ** Math.floor(Math.log10(step)));
    expect(step / metresPerPixel(sight)).toBeGreaterThanOrEqual(90);
  });
});

describe('the tiles of a map', () => {
  const address = 'https://tiles.example.com/{z}/{x}/{y}.png?key=1';

  it('are of the nearest zoom that covers the visible part, and none outside the world', () => {
    // The whole world is one tile at zoom 0 and four at zoom 1.
    expect(tilesOf({ lat: 0, lng: 0, zoom: 0 }, 256, 256, address)).toEqual([
      { src: 'https://tiles.example.com/0/0/0.png?key=1', left: 0, top: 0, size: 256 },
    ]);
    expect(tilesOf({ lat: 0, lng: 0, zoom: 1 }, 1_000, 1_000, address).map(({ src }) => src.slice(26, 31))).toEqual([
      '1/0/0',
      '1/1/0',
      '1/0/1',
      '1/1/1',
    ]);
    // Chennai at zoom 10: tile 740, 474 of the web's maps.
    expect(tilesOf({ ...chennai, zoom: 10 }, 1, 1, address)[0]!.src).toContain('/10/740/474.png');
  });

  it('leave no gap, at any place and zoom', () => {
    const sight = fc.record({
      lat: fc.double({ min: -60, max: 60, noNaN: true }),
      lng: fc.double({ min: -120, max: 120, noNaN: true }),
      zoom: fc.double({ min: 4, max: 19, noNaN: true }),
    });
    fc.assert(
      fc.property(sight, (one) => {
        const tiles = tilesOf(one, 360, 240, address);
        const [left, top] = [Math.min(...tiles.map((t) => t.left)), Math.min(...tiles.map((t) => t.top))];
        const [right, bottom] = [
          Math.max(...tiles.map((t) => t.left + t.size)),
          Math.max(...tiles.map((t) => t.top + t.size)),
        ];
        expect(left <= 0 && top <= 0 && right >= 360 && bottom >= 240).toBe(true);
        const area = tiles.reduce((sum, { size }) => sum + size * size, 0);
        expect(area / ((right - left) * (bottom - top))).toBeCloseTo(1, 6);
      }),
    );
  });

  it('are below the places with their attribution; a failed map is reported, and the grid is shown', async () => {
    serve(null, { address, attribution: '© Map makers' });
    openPage(MapPage, screen, '?as=map');
    const map = await page.findByRole('application');
    await waitFor(() => expect(map.querySelector('img')).not.toBeNull());
    fireEvent.error(map.querySelector('img')!);
    await page.findByText(/Places are shown on a plain grid/);
    expect(page.queryByText('© Map makers')).toBeNull();
    expect(map.querySelectorAll('svg line').length).toBeGreaterThan(2);
    await userEvent.click(page.getByRole('button', { name: 'Try again' }));
    fireEvent.load(map.querySelector('img')!);
    await page.findByText('© Map makers');
    expect(page.queryByText(/could not be loaded/)).toBeNull();
  });
});

describe('the map of a list', () => {
  it('shows the places in order, with the route between them, and loads nothing else', async () => {
    const calls = serve();
    openPage(MapPage, screen, '?as=map');
    const south = within(await page.findByRole('region', { name: 'South' }));
    expect(south.getAllByRole('link').map((link) => link.textContent)).toEqual(['Chennai', 'Bengaluru']);
    south.getByText('+ 290 km');
    expect(page.getByRole('link', { name: 'Bengaluru, South, 290 km from the one before' })).toBeTruthy();
    const query = calls.find(({ path }) => path === '/tapi/depot')!.query;
    expect(JSON.parse(query.get('filter')!)).toEqual(['geo', 'notempty']);
    expect([query.get('sort'), query.get('box'), query.get('size')]).toEqual(['route,stop', null, '500']);
  });

  it('is moved by keyboard, without further calls', async () => {
    const calls = serve();
    openPage(MapPage, screen, '?as=map');
    const map = await page.findByRole('application');
    const scale = () => map.querySelector('p')!.textContent;
    const before = scale();
    fireEvent.keyDown(map, { key: '+' });
    fireEvent.keyDown(map, { key: 'ArrowLeft' });
    await waitFor(() => expect(scale()).not.toBe(before));
    await userEvent.click(page.getByRole('button', { name: 'All places' }));
    await waitFor(() => expect(scale()).toBe(before));
    expect(calls.filter(({ path }) => path === '/tapi/depot')).toHaveLength(1);
  });
});
