import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Stores } from './stores_world.ts';
import { startStores } from './stores_world.ts';

// The stock engine through adjustments: quantities, moving average, back-dating, closing, reversal.

let stores: Stores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.world.close());

describe('the ledger', () => {
  it('values issues by the moving average, and leaves no residue (5.2, 5.3)', async () => {
    const { item, opening, adjust, value, balance, ids } = stores;
    const card = await item('DRV-1');
    await opening(ids.central!, [{ item_id: card, condition: 'new', qty: '3', rate: '33.3333' }]);
    expect(await value(card)).toEqual({ qty: '3', value: '100.00' });
    for (const left of [
      ['2', '66.67'],
      ['1', '33.33'],
      ['0', '0.00'],
    ]) {
      await adjust('write_off', ids.central!, [{ item_id: card, condition: 'new', qty: '1' }]);
      expect(await value(card)).toEqual({ qty: left[0], value: left[1] });
    }
    expect(await balance(card, ids.central!)).toEqual({ on_hand: '0', reserved: '0' });
  });
});
