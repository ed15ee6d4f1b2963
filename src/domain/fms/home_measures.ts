import type { FilterExpression } from '../../descriptor/types.ts';

/** What a tile of the home page counts or adds up. */
export interface HomeMeasure {
  type: string;
  filter: FilterExpression;
  /** An amount to add up, or a figure to average; otherwise records are counted. */
  sum?: string;
  average?: string;
}

const OPEN_CALLS = ['new', 'assigned', 'accepted', 'travelling', 'attending', 'paused'];
const CALLS: FilterExpression = ['and', ['status', 'in', OPEN_CALLS], ['ticket_type', 'ne', 'preventive']];

/** A measure of `landing_display_mstr` on a day, YYYY-MM-DD; null = unknown name. */
export function homeMeasure(name: string, day: string, now: string): HomeMeasure | null {
  const at = (days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
  const month = day.slice(0, 7);
  const nextMonth = new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 1)).toISOString().slice(0, 10);
  const measures: Record<string, HomeMeasure> = {
    calls_open: { type: 'fms_ticket', filter: CALLS },
    calls_trapped: {
      type: 'fms_ticket',
      filter: ['and', ['trapped', 'eq', true], ['all_out_at', 'empty'], ['status', 'in', OPEN_CALLS]],
    },
    calls_unassigned: { type: 'fms_ticket', filter: ['status', 'eq', 'new'] },
    sla_late: { type: 'fms_ticket', filter: ['and', CALLS, ['restore_by', 'before', now]] },
    visits_today: {
      type: 'scheduled_ticket',
      filter: ['and', ['planned_on', 'eq', day], ['status', 'in', ['planned', 'released']]],
    },
    visits_missed: {
      type: 'scheduled_ticket',
      filter: ['and', ['window_result', 'eq', 'missed'], ['window_to', 'between', [at(-7), day]]],
    },
    bills_due: {
      type: 'billing_schedule',
      filter: ['and', ['status', 'eq', 'planned'], ['bill_on', 'between', ['2000-01-01', day]]],
    },
    outstanding: { type: 'billing', filter: ['outstanding', 'gt', '0'], sum: 'outstanding' },
    receipts_to_approve: { type: 'receipt', filter: ['status', 'eq', 'submitted'] },
    renewals_month: {
      type: 'contract',
      filter: [
        'and',
        ['status', 'eq', 'active'],
        ['end_on', 'between', [`${month}-01`, at(daysTo(day, nextMonth) - 1)]],
      ],
    },
    lifts_under_contract: { type: 'lift', filter: ['status', 'eq', 'in_contract'] },
    licences_ending: { type: 'lift', filter: ['licence_valid_to', 'between', [day, at(60)]] },
    material_waiting: {
      type: 'mr',
      filter: ['state', 'in', ['submitted', 'on_hold', 'commercially_approved', 'approved', 'in_supply']],
    },
    rating_month: {
      type: 'fms_ticket',
      filter: ['and', ['rating', 'notempty'], ['reported_at', 'between', [`${month}-01`, day]]],
      average: 'rating',
    },
    tis_unsafe: {
      type: 'tis_inspection',
      filter: ['and', ['unsafe', 'eq', true], ['planned_on', 'between', [at(-365), day]]],
    },
  };
  return measures[name] ?? null;
}

const daysTo = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** One tile of the field service home page for this person. */
export interface HomeTile {
  code: string;
  title: string;
  icon: string | null;
  /** A number, or an amount with two decimals; null = it could not be computed, and `problem` says why. */
  value: string | null;
  problem?: string;
  isAmount: boolean;
  tone: 'danger' | 'warning' | null;
  target: string;
  show_on: 'desk' | 'phone' | 'both';
}

/** The field service home page: its tiles, and the entries of the phone's menu by code, in order. */
export interface FieldHome {
  tiles: HomeTile[];
  menu: { code: string; quick: boolean }[];
  /** Whether the person is in a team today, and so has calls and visits. */
  inTeam: boolean;
}
