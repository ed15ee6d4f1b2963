import type { Place } from './best_order.ts';
import { distanceKm } from './best_order.ts';

/** The ratio of road distance to straight-line distance. */
const ROAD_FACTOR = 1.3;
const SPEED_KMH = 20;
const OTHER_ROUTE_MIN = 15;
const KNOWS_LIFT_MIN = 10;

/** For trapped passengers, technicians who can be on site within this many minutes are asked. */
export const RESCUE_REACH_MIN = 30;

/** The data of a technician used for dispatching. */
export interface Candidate {
  id: number;
  name: string;
  /** Their position; null = unknown. */
  at: Place | null;
  /** Level of expertise; 0 = none. */
  level: number;
  mayRescue: boolean;
  /** Minutes of accepted work that is not done. */
  accepted: number;
  /** Null = on duty; otherwise the reason, as text. */
  offDuty: string | null;
  /** The team of their route; null = their team has none, such as one for breakdowns. */
  teamId: number | null;
  /** Lifts that they attended within the last 30 days. */
  lifts: readonly number[];
}

/** The requirements of a call. */
export interface Site {
  at: Place | null;
  liftId: number;
  /** Required level of expertise; 0 = any. */
  level: number;
  /** The team of the lift's route. */
  teamId: number | null;
  isRescue: boolean;
}

export interface Suggestion {
  id: number;
  name: string;
  km: number | null;
  /** Minutes to get there. */
  travel: number | null;
  /** The lower, the better; null if the technician cannot go. */
  score: number | null;
  /** The components of the score, as text. */
  reasons: string[];
  /** Why the technician cannot go; null = they can. */
  refused: string | null;
}

/** Minutes of travel in town by road (C13). */
function travelMinutes(km: number): number {
  return ((km * ROAD_FACTOR) / SPEED_KMH) * 60;
}

/** The estimated way by road between two places in town, in km. */
export const roadKm = (from: Place, to: Place): number => distanceKm(from, to) * ROAD_FACTOR;

function refusal(one: Candidate, site: Site): string | null {
  if (one.offDuty !== null) return one.offDuty;
  if (one.level < site.level) return `Level ${one.level}, level ${site.level} is needed`;
  if (site.isRescue && !one.mayRescue) return 'May not free passengers';
  return null;
}

/** The suitability of a technician for a call, with the reasons (C13); an unknown position counts as no travel. */
function suitability(one: Candidate, site: Site): Suggestion {
  const km = one.at && site.at ? distanceKm(one.at, site.at) : null;
  const travel = km === null ? null : travelMinutes(km);
  const refused = refusal(one, site);
  const leaves = site.teamId !== null && one.teamId !== null && one.teamId !== site.teamId;
  const knows = one.lifts.includes(site.liftId);
  const load = site.isRescue ? 0 : one.accepted;
  const reasons = [
    travel === null ? 'Place not known' : `${travel.toFixed(0)} min away (${km!.toFixed(2)} km)`,
    ...(load > 0 ? [`${load} min of work accepted`] : site.isRescue ? [] : ['No work accepted']),
    leaves ? `Another team's route (+${OTHER_ROUTE_MIN})` : one.teamId === null ? 'Without a route' : 'Own route',
    ...(knows ? [`Knows the lift (−${KNOWS_LIFT_MIN})`] : []),
  ];
  const score = (travel ?? 0) + load + (leaves ? OTHER_ROUTE_MIN : 0) - (knows ? KNOWS_LIFT_MIN : 0);
  return { id: one.id, name: one.name, km, travel, score: refused === null ? score : null, reasons, refused };
}

/** All technicians by suitability, the best first; those who cannot go come last, with the reason (C13). */
export function whoGoes(people: readonly Candidate[], site: Site): Suggestion[] {
  return people
    .map((one) => suitability(one, site))
    .toSorted(
      (a, b) =>
        (a.score ?? Number.POSITIVE_INFINITY) - (b.score ?? Number.POSITIVE_INFINITY) ||
        a.name.localeCompare(b.name) ||
        a.id - b.id,
    );
}
