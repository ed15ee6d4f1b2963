import { expect, it } from 'vitest';
import { cronWords } from '../../../src/domain/cron_words.ts';

it.each([
  ['0 18 * * *', 'daily at 18:00'],
  ['*/15 * * * *', 'every 15 minutes'],
  ['* * * * *', 'every minute'],
  ['17 * * * *', 'every hour at 17 past'],
  ['0 9 1 12 *', 'on 1 December at 09:00'],
  ['30 8 * * 1', 'on Monday at 08:30'],
  ['5 7 * * 1-5', 'Monday to Friday at 07:05'],
  ['0 6 1 * *', 'monthly on day 1 at 06:00'],
  ['0 6,18 * * *', '0 6,18 * * *'],
  ['0 6 1 * 1', '0 6 1 * 1'],
])('%s is %s', (cron, words) => expect(cronWords(cron)).toBe(words));
