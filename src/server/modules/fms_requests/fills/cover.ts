import type { Fill } from '../../../engine/modules.ts';
import { coverOfLines } from '../cover_facts.ts';

/** The proposed cover of each line, its reason, and the customer's amount (5.8 of the design of the stores). */
export const coverFill: Fill = {
  async run({ unit, record }) {
    const { contract, lines } = await coverOfLines(unit, record, {
      exact: record.state !== 'draft' && record.state !== 'returned',
    });
    return {
      contract_id: contract,
      lines: lines.map(({ price, cover, because }) => ({
        price,
        proposed_cover: cover?.cover ?? null,
        cover_because: because,
        customer_share: cover?.share ?? null,
        proposed_free: cover?.free ?? '0',
        proposed_customer: cover?.customer ?? '0',
      })),
    };
  },
};

/** Until somebody decides, the cover of each line is the proposed one. */
export const chosenCover: Fill = {
  run({ record }) {
    const lines = (record.lines ?? []) as Record<string, unknown>[];
    return Promise.resolve({ lines: lines.map(({ proposed_cover: cover }) => ({ cover: cover ?? null })) });
  },
};
