import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DomainEvents } from '../../../src/server/engine/events/domain_events.ts';
import { loadModules } from '../../../src/server/engine/load_modules.ts';
import { product } from './product.ts';

// A server starts without some record types; in the product a subscription to a misspelt type would never run.
it('modules subscribe to events that occur', async () => {
  const modules = await loadModules(join(import.meta.dirname, '../../../src/server/modules'));
  const { screens } = await product;
  const misspelt = { name: 'other', on: { 'tiket.created': { run: () => Promise.resolve() } } };
  expect(new DomainEvents([...modules, misspelt]).unknown(screens)).toEqual(['tiket.created']);
});
