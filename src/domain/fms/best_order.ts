/** A place on the earth, in degrees. */
export interface Place {
  lat: number;
  lng: number;
}

export interface Stop extends Place {
  /** Id of the building: the tie-breaker between orders of equal length. */
  key: string;
  /** HH:MM of an appointment; such stops keep their order and split the route. */
  fixed?: string | null;
}

const EARTH_KM = 6371.0088;
/** More stops than this are ordered by approximation. */
const EXACT = 10;
const ENOUGH = 1e-9;

/** Great-circle distance in km. */
export function distanceKm(a: Place, b: Place): number {
  const rad = (degrees: number) => (degrees * Math.PI) / 180;
  const half =
    Math.sin(rad(b.lat - a.lat) / 2) ** 2 +
    Math.cos(rad(a.lat)) * Math.cos(rad(b.lat)) * Math.sin(rad(b.lng - a.lng) / 2) ** 2;
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** Length in km of the route from `start` through stops in order; it is open if it has no end. */
export function wayKm(start: Place, stops: readonly Place[], end: Place | null = null): number {
  let km = 0;
  let here = start;
  for (const stop of end ? [...stops, end] : stops) {
    km += distanceKm(here, stop);
    here = stop;
  }
  return km;
}

/**
 * The best order of a day's stops (C14): the shortest open route from `start`, exact up to 10 stops, otherwise nearest
 * neighbour improved by 2-opt and Or-opt. Stops with appointments are in the order of their times; each other stop is
 * visited in the section between two of them where its detour is shortest.
 */
export function bestOrder<T extends Stop>(start: Place, stops: readonly T[]): T[] {
  const sorted = stops.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const fixed = sorted
    .filter(({ fixed: time }) => time)
    .toSorted((a, b) => (a.fixed! < b.fixed! ? -1 : a.fixed! > b.fixed! ? 1 : 0));
  const stretches = [...fixed, null].map((end, i) => ({
    start: i === 0 ? start : fixed[i - 1]!,
    end,
    stops: [] as T[],
  }));
  for (const stop of sorted) {
    if (stop.fixed) continue;
    const detour = (one: (typeof stretches)[number]) =>
      wayKm(one.start, [stop], one.end) - wayKm(one.start, [], one.end);
    stretches.reduce((best, one) => (detour(one) < detour(best) - ENOUGH ? one : best)).stops.push(stop);
  }
  return stretches.flatMap((one) => {
    const order = one.stops.length <= EXACT ? exactOrder(one) : nearOrder(one);
    return one.end ? [...order, one.end] : order;
  });
}

interface Stretch<T extends Stop> {
  start: Place;
  end: T | null;
  stops: readonly T[];
}

/** Dynamic programming over sets of stops; of equally long routes the one with the smaller building ids first. */
function exactOrder<T extends Stop>({ start, end, stops }: Stretch<T>): T[] {
  const n = stops.length;
  if (n === 0) return [];
  const km = stops.map((a) => stops.map((b) => distanceKm(a, b)));
  // rest[set][i]: the shortest route from stop i through the stops not in the set.
  const all = (1 << n) - 1;
  const rest = Array.from({ length: 1 << n }, () => new Float64Array(n));
  for (let set = all; set > 0; set--)
    for (let i = 0; i < n; i++) {
      if ((set & (1 << i)) === 0) continue;
      let best = set === all ? (end ? distanceKm(stops[i]!, end) : 0) : Infinity;
      for (let j = 0; j < n; j++)
        if ((set & (1 << j)) === 0) best = Math.min(best, km[i]![j]! + rest[set | (1 << j)]![j]!);
      rest[set]![i] = best;
    }
  const order: T[] = [];
  let set = 0;
  let here = -1;
  while (order.length < n) {
    let next = -1;
    let length = Infinity;
    for (let j = 0; j < n; j++) {
      if ((set & (1 << j)) !== 0) continue;
      const way = (here < 0 ? distanceKm(start, stops[j]!) : km[here]![j]!) + rest[set | (1 << j)]![j]!;
      if (way < length - ENOUGH) [next, length] = [j, way];
    }
    order.push(stops[next]!);
    set |= 1 << next;
    here = next;
  }
  return order;
}

/** Nearest neighbour, then 2-opt and Or-opt (one to three stops, in either direction) until neither helps. */
function nearOrder<T extends Stop>({ start, end, stops }: Stretch<T>): T[] {
  const left = [...stops];
  let order: T[] = [];
  let here: Place = start;
  while (left.length > 0) {
    let nearest = 0;
    for (let i = 1; i < left.length; i++)
      if (distanceKm(here, left[i]!) < distanceKm(here, left[nearest]!) - ENOUGH) nearest = i;
    here = left[nearest]!;
    order.push(...left.splice(nearest, 1));
  }
  const length = (way: readonly T[]) => wayKm(start, way, end);
  const better = (way: T[]) => {
    if (length(way) >= length(order) - ENOUGH) return false;
    order = way;
    return true;
  };
  const improve = (): boolean => {
    const n = order.length;
    for (let i = 0; i < n - 1; i++)
      for (let j = i + 1; j < n; j++)
        if (better([...order.slice(0, i), ...order.slice(i, j + 1).toReversed(), ...order.slice(j + 1)])) return true;
    for (let size = 1; size <= 3; size++)
      for (let i = 0; i + size <= n; i++) {
        const part = order.slice(i, i + size);
        const without = [...order.slice(0, i), ...order.slice(i + size)];
        for (let to = 0; to <= without.length; to++)
          for (const one of [part, part.toReversed()])
            if (better([...without.slice(0, to), ...one, ...without.slice(to)])) return true;
      }
    return false;
  };
  while (improve());
  return order;
}
