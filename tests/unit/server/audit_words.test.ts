import { expect, test } from 'vitest';
import { actionWords, entryInWords } from '../../../src/server/platform/audit/audit_words.ts';
import { product } from './product.ts';

test('entries of the audit trail name acts, record types and fields as people know them', async () => {
  const { screens } = await product;
  const entry = (more: object) => ({ target_type: null, target_id: null, summary: null, ...more }) as never;
  expect(
    entryInWords(entry({ action: 'sync_run.save', target_type: 'sync_run', summary: 'state, started_at' }), screens),
  ).toMatchObject({
    what: 'Import run: changed',
    record: 'Import run',
    type: 'sync_run',
    summary: 'State, Started',
  });
  // An older entry says "user".
  expect(entryInWords(entry({ action: 'login', target_type: 'user', target_id: 1 }), screens)).toMatchObject({
    what: 'Signed in',
    record: 'User',
    type: 'users',
  });
  expect(entryInWords(entry({ action: 'export', summary: 'login_log' }), screens)).toMatchObject({
    summary: 'Sign-ins',
  });
  expect(entryInWords(entry({ action: 'export', summary: '101 rows' }), screens)).toMatchObject({
    summary: '101 rows',
  });
  expect(
    entryInWords(
      entry({ action: 'approval', target_type: 'mr', summary: 'submitted → commercially_approved for Asha Rao' }),
      screens,
    ),
  ).toMatchObject({ summary: 'For commercial approval → For technical approval for Asha Rao' });
  expect(actionWords('lift.hand_over', screens)).toBe('Lift: hand over');
});
