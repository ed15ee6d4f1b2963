import { expect, test } from 'vitest';
import { fieldType } from '../../../../../src/descriptor/fieldtypes/registry.ts';
import type { Field } from '../../../../../src/descriptor/types.ts';
import { renderMarkdown } from '../../../../../src/client/runtime/fields/markdown/render_markdown.ts';

test('headings are below those of the page; lists, tables and emphasis are rendered', () => {
  const html = renderMarkdown(
    '# Signing in\n\n1. Open the **address**\n2. Enter\n\n| Key | Does |\n|---|---|\n| Ctrl+S | saves |',
  );
  expect(html).toContain('<h3>Signing in</h3>');
  expect(html).toContain('<strong>address</strong>');
  expect(html).toContain('<td>Ctrl+S</td>');
});

test('nothing in a text runs or loads external content', () => {
  const html = renderMarkdown(
    '<script>alert(1)</script><img src=x onerror=alert(1)>\n\n[run](javascript:alert(1)) [out](//evil.example) ![spy](https://evil.example/p.png)\n\n<a href="https://a.in" onclick="x()" style="color:red">a</a> <iframe src="https://a.in"></iframe>',
  );
  expect(html).not.toMatch(/script|onerror|onclick|style=|iframe|src=|href="\/\//i);
  expect(html).toContain('<a href="https://evil.example/p.png" rel="noopener noreferrer" target="_blank">spy</a>');
});

test('a stored picture has the id of its file and no address', () => {
  expect(renderMarkdown('![Machine "room"](file:12)')).toContain('<img data-file="12" alt="Machine &quot;room&quot;">');
});

test('in lists and sheets the markup is removed, or kept for import', () => {
  const field = { name: 'body', type: 'rich_text', schema: { contentMediaType: 'text/markdown' } } as unknown as Field;
  const type = fieldType('rich_text');
  expect(type.format('## Lifts\n\n- one **big** one\n- see [this](/lift)', field)).toBe('Lifts one big one see this');
  expect(type.parse('  a\r\n\r\n- b ', field)).toEqual({ value: 'a\n\n- b' });
  expect(type.excel!.write!('## A\n\nb', field)).toBe('## A\n\nb');
});
