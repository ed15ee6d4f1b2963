import { expect, test } from 'vitest';
import { textOfHtml } from '../../../../src/server/services/mail/text_of_html.ts';

test('the words of a mail without plain text: lines stay, the quoted message and styles go', () => {
  expect(
    textOfHtml(
      '<head><style>p { color: red }</style></head><p>The printer&nbsp;&amp; the scanner<br>are&#33; down.</p><p>Ravi</p><blockquote>When?</blockquote>',
    ),
  ).toBe('The printer & the scanner\nare! down.\nRavi');
});

test('a mail that is made to be slow is not', () => {
  const from = performance.now();
  for (const piece of ['<style', '<blockquote>', '<', '&', '</p'])
    expect(textOfHtml(piece.repeat(400_000))).toEqual(expect.any(String));
  expect(performance.now() - from).toBeLessThan(2_000);
});
