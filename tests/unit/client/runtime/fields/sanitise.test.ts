import { describe, expect, it } from 'vitest';
import { sanitise } from '../../../../../src/client/runtime/fields/rich_text/sanitise.ts';

describe('formatted text', () => {
  it('keeps allowed elements', () => {
    const html =
      '<p>A <strong>bold</strong> <em>word</em></p><ul><li>one</li></ul><h3>Head</h3><blockquote>said</blockquote>';
    expect(sanitise(html)).toBe(html);
  });

  it('normalises the browser’s own elements', () => {
    expect(sanitise('<div><b>a</b><i>b</i></div>')).toBe('<p><strong>a</strong><em>b</em></p>');
    expect(sanitise('<h1>Big</h1>')).toBe('<h3>Big</h3>');
  });

  it.each([
    ['<script>alert(1)</script>text', 'text'],
    ['<style>p{color:red}</style>text', 'text'],
    ['<p onclick="alert(1)" style="color:red" class="x">text</p>', '<p>text</p>'],
    ['<img src=x onerror=alert(1)>text', 'text'],
    ['<svg onload=alert(1)><desc>in</desc></svg>text', 'text'],
    ['<iframe src="https://x"></iframe>text', 'text'],
    ['<a href="javascript:alert(1)">text</a>', 'text'],
    ['<a href=" java\nscript:alert(1)">text</a>', 'text'],
    ['<a href="data:text/html,x">text</a>', 'text'],
    ['<a href="//other.example">text</a>', 'text'],
    [
      '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>text',
      'text',
    ],
    ['<span style="font-weight:700">text</span>', 'text'],
  ])('%s becomes %s', (html, clean) => {
    expect(sanitise(html)).toBe(clean);
  });

  it('keeps cells and rows of a table separate', () => {
    expect(sanitise('<table><tr><th>Part<th>Mass<tr><td>Door<td><b>12</b> kg</table>')).toBe(
      '<p>Part Mass</p><p>Door <strong>12</strong> kg</p>',
    );
    expect(sanitise('<table><tr><td><p>Door</p><td><p>12 kg</p></table>')).toBe('<p>Door</p> <p>12 kg</p>');
  });

  it('opens links in a new tab, without access to this page', () => {
    expect(sanitise('<a href="https://acme.in/x" onclick="y">go</a>')).toBe(
      '<a href="https://acme.in/x" rel="noopener noreferrer" target="_blank">go</a>',
    );
    expect(sanitise('<a href="mailto:a@b.in">mail</a>')).toContain('href="mailto:a@b.in"');
  });

  it('is empty if nothing is readable', () => {
    expect(sanitise('<p><br></p>')).toBe('');
    expect(sanitise(' &nbsp; ')).toBe('');
  });
});
