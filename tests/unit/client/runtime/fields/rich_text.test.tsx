import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderField } from './render_field.tsx';

const TEXT = { $ref: 'types#rich_text', title: 'It' };

// The editor is a chunk of its own, which is large to compile; and what it asks of a page that is laid out.
beforeAll(async () => {
  await import('../../../../../src/client/runtime/fields/rich_text/HtmlWidget.tsx');
  const nowhere = () => ({ x: 0, y: 0, top: 0, left: 0, bottom: 0, right: 0, width: 0, height: 0, toJSON: () => '' });
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  Range.prototype.getBoundingClientRect = nowhere;
  document.elementFromPoint = () => null;
}, 120_000);

const area = () => screen.findByRole('textbox', { name: /It/ });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

async function selectAll(): Promise<HTMLElement> {
  const element = await area();
  await act(async () => {
    element.focus();
    getSelection()!.selectAllChildren(element);
    document.dispatchEvent(new Event('selectionchange'));
  });
  return element;
}

function paste(element: HTMLElement, html: string, text = ''): void {
  const clipboardData = { getData: (kind: string) => (kind === 'text/html' ? html : text), files: [], items: [] };
  fireEvent.paste(element, { clipboardData });
}

async function leave(element: HTMLElement): Promise<void> {
  await act(async () => element.blur());
}

describe('the editor of formatted text', () => {
  it('has a label and description, and shows the stored text sanitised', async () => {
    renderField(TEXT, '<p>Read <strong>this</strong><img src=x onerror=alert(1)></p>');
    const element = await area();
    expect(element.getAttribute('aria-multiline')).toBe('true');
    expect(element.innerHTML).toBe('<p>Read <strong>this</strong></p>');
  });

  it('is formatted by the toolbar, whose buttons show the current format', async () => {
    const { value } = renderField(TEXT, '<p>Oil the bearings</p>');
    const element = await selectAll();
    press('Bold');
    press('Bullet list');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Bold' }).getAttribute('aria-pressed')).toBe('true'));
    await leave(element);
    expect(value()).toBe('<ul><li><p><strong>Oil the bearings</strong></p></li></ul>');
    await selectAll();
    press('Clear formatting');
    await leave(element);
    expect(value()).toBe('<p>Oil the bearings</p>');
  });

  it('follows outside changes, and undo affects typing only', async () => {
    const { store, value } = renderField(TEXT, '<p>Old</p>');
    const element = await area();
    await act(async () => store.set({ it: '<p>From elsewhere</p>' }));
    expect(element.innerHTML).toBe('<p>From elsewhere</p>');
    await selectAll();
    press('Bold');
    expect(element.innerHTML).toBe('<p><strong>From elsewhere</strong></p>');
    fireEvent.keyDown(element, { key: 'z', code: 'KeyZ', ctrlKey: true });
    fireEvent.keyDown(element, { key: 'z', code: 'KeyZ', ctrlKey: true });
    await leave(element);
    expect(value()).toBe('<p>From elsewhere</p>');
  });

  it('pastes only the allowed elements', async () => {
    const { value } = renderField(TEXT);
    const element = await selectAll();
    paste(
      element,
      '<h1 class="x">Head</h1><p onclick="alert(1)">A <b>bold</b> <a href="javascript:alert(1)">trap</a></p><script>alert(1)</script>',
    );
    await leave(element);
    expect(value()).toBe('<h3>Head</h3><p>A <strong>bold</strong> trap</p>');
  });

  it('links the selection, only to permitted addresses', async () => {
    const { value } = renderField(TEXT, '<p>Manual</p>');
    await selectAll();
    press('Link');
    const input = screen.getByRole('textbox', { name: 'Address of the link' });
    fireEvent.change(input, { target: { value: 'javascript:alert(1)' } });
    fireEvent.keyDown(input, { key: 'Enter' });
    expect(screen.getByRole('alert').textContent).toContain('A link begins with https://');
    fireEvent.change(input, { target: { value: 'https://acme.example/manual' } });
    fireEvent.keyDown(input, { key: 'Enter' });
    await waitFor(() =>
      expect(value()).toBe(
        '<p><a href="https://acme.example/manual" rel="noopener noreferrer" target="_blank">Manual</a></p>',
      ),
    );
  });

  it('is empty when nothing is left, and shows outside changes', async () => {
    const { store, value } = renderField(TEXT, '<p>Gone</p>');
    const element = await selectAll();
    fireEvent.keyDown(element, { key: 'Backspace', keyCode: 8 });
    await leave(element);
    expect(value()).toBeNull();
    act(() => store.set({ it: '<p>From elsewhere</p>' }));
    await waitFor(() => expect(element.textContent).toBe('From elsewhere'));
  });
});
