import { expect, it } from 'vitest';
import { numbersInSubject, writtenInMail } from '../../../../src/domain/act_desk/mail_text.ts';

it('takes what somebody wrote in a mail, without the message it answers and without the signature', () => {
  expect(writtenInMail('It is dead again.\r\n\r\n-- \r\nRavi\r\nAccounts')).toBe('It is dead again.');
  expect(writtenInMail('Thanks!\n\nOn Mon, 18 Aug 2025 at 10:20, Desk <desk@example.com> wrote:\n> Solved.')).toBe(
    'Thanks!',
  );
  expect(writtenInMail('No.\n-----Original Message-----\nFrom: Desk')).toBe('No.');
  expect(writtenInMail('Two lines\n\nof one message')).toBe('Two lines\n\nof one message');
  expect(writtenInMail('> only what was asked')).toBe('');
});

it('finds what may be the number of a ticket in a subject', () => {
  expect(numbersInSubject('Re: [TKT/2025-26/00017] Printer 2')).toEqual(['tkt/2025-26/00017']);
  expect(numbersInSubject('Hello')).toEqual([]);
});
