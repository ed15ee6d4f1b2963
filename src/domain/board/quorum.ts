import { Decimal } from 'decimal.js';
import { shareOf } from './share.ts';

/** How many members a unit needs for its decisions. */
export interface QuorumRule {
  /** Share of the strength: a number between 0 and 1; a third is written as 1/3 to be exact. */
  fraction: Decimal.Value;
  least: number;
}

/** Of a company board: a third, at least two. */
const BOARD_QUORUM: QuorumRule = { fraction: new Decimal(1).div(3), least: 2 };

/** Members who must be present, of a unit with so many who count. */
export function quorumOf(strength: number, rule: QuorumRule = BOARD_QUORUM): number {
  return Math.max(shareOf(strength, rule.fraction), rule.least);
}

/**
 * The quorum for a matter in which some directors are interested: where these reach two thirds of the strength, the others
 * who are present, at least two, are the quorum (s. 174).
 */
export function quorumWithInterest(strength: number, interested: number, rule: QuorumRule = BOARD_QUORUM): number {
  if (interested * 3 < strength * 2) return quorumOf(strength, rule);
  return Math.max(2, strength - interested);
}
