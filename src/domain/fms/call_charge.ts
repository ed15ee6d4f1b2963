import { Decimal } from 'decimal.js';

export type Cover = 'covered' | 'warranty' | 'chargeable' | 'none';

/** The cover of a call on the day on which it was reported. */
export interface CoverFacts {
  day: string;
  /** The contract with the line that covers the lift on that day. */
  contract: { no: string; kind: string; held: boolean; coverage: string } | null;
  /** Last day of the lift's warranty. */
  warrantyTo: string | null;
  /** The customer is blocked. */
  blocked: boolean;
}

/** The cover of a call, with the reason as text (C19). The final charge also depends on category, count and hour. */
export function callCover({ day, contract, warrantyTo, blocked }: CoverFacts): { cover: Cover; cover_because: string } {
  const because = (cover: Cover, words: string) => ({ cover, cover_because: words });
  if (warrantyTo !== null && warrantyTo >= day) return because('warranty', 'The lift is in warranty.');
  if (contract === null) return because('none', 'No contract on the day of the call.');
  if (contract.held) return because('chargeable', `Contract ${contract.no} is on hold.`);
  if (contract.kind === 'warranty' || contract.coverage === 'warranty')
    return because('warranty', `Contract ${contract.no} is a warranty.`);
  if (blocked) return because('chargeable', 'The customer is blocked.');
  if (contract.kind === 'on_call' || contract.coverage === 'on_call')
    return because('chargeable', `Contract ${contract.no} is on call: each call is charged.`);
  return because('covered', `Contract ${contract.no}.`);
}

/** The inputs that decide whether a call is charged. */
export interface CallTerms {
  cover: Cover;
  /** As the category says. */
  charge: 'as_contract' | 'always' | 'never';
  /** Included calls per contract year; null = unlimited. */
  callbacksIncluded: number | null;
  /** Earlier calls in the contract year, without repeats. */
  callsUsed: number;
  /** It repeats an earlier call, which was counted. */
  isRepeat: boolean;
  nightCalls: boolean;
  atNight: boolean;
}

/** Why a call is charged; null = it is free (C19, calls). */
export function chargedBecause(terms: CallTerms): string | null {
  const { cover, charge, callbacksIncluded, callsUsed, isRepeat, nightCalls, atNight } = terms;
  if (charge === 'never') return null;
  if (charge === 'always') return 'Calls of this category are always charged.';
  if (cover === 'warranty') return null;
  if (cover === 'none') return 'There was no contract.';
  if (cover === 'chargeable') return 'The contract does not cover calls.';
  if (!isRepeat && callbacksIncluded !== null && callsUsed >= callbacksIncluded)
    return `The ${callbacksIncluded} calls of the contract year are used up.`;
  if (atNight && !nightCalls) return 'Calls at night are not included.';
  return null;
}

/** The words of a list that a text contains, whatever their case; parts of longer words do not count. */
export function misuseWords(text: string, words: readonly string[]): string[] {
  const plain = (one: string) =>
    ` ${one
      .toLowerCase()
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .filter(Boolean)
      .join(' ')} `;
  const spoken = plain(text);
  return words.filter((word) => plain(word).trim() !== '' && spoken.includes(plain(word)));
}

const STEP_MINUTES = 30;

/** Chargeable minutes of labour: rounded up to half hours. */
function chargedMinutes(minutes: number): number {
  return Math.ceil(Math.max(0, minutes) / STEP_MINUTES) * STEP_MINUTES;
}

export interface ChargeRates {
  callOut: string | null;
  /** An hour. */
  labourRate: string | null;
}

export interface ChargeLine {
  kind: 'call_out' | 'labour';
  qty: string;
  rate: string;
  amount: string;
}

const paise = (value: Decimal): string => value.toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toFixed(2);

/**
 * The lines of a charged call: the call-out charge and labour in half hours, rounded up (C19). Parts come from the
 * stores.
 */
export function callCharges({ callOut, labourRate }: ChargeRates, labourMinutes: number): ChargeLine[] {
  const lines: ChargeLine[] = [];
  if (callOut !== null && !new Decimal(callOut).isZero())
    lines.push({ kind: 'call_out', qty: '1', rate: paise(new Decimal(callOut)), amount: paise(new Decimal(callOut)) });
  const hours = new Decimal(chargedMinutes(labourMinutes)).dividedBy(60);
  if (labourRate !== null && !hours.isZero())
    lines.push({
      kind: 'labour',
      qty: hours.toString(),
      rate: paise(new Decimal(labourRate)),
      amount: paise(hours.times(labourRate)),
    });
  return lines;
}
