import '../patience.ts';
import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, describe, expect, it } from 'vitest';
import { forgetScreens, screenRefs } from '../../../../../src/client/api/screens.ts';
import { FieldValue } from '../../../../../src/client/runtime/fields/display.tsx';
import type { Field } from '../../../../../src/descriptor/types.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { screenSample } from '../../app/screens_sample.ts';
import { oneField } from './render_field.tsx';

function show(
  property: Record<string, unknown>,
  value: unknown,
  { record = {}, plain = false }: { record?: Record<string, unknown>; plain?: boolean } = {},
) {
  const field = oneField('it', property).fields.find(({ name }) => name === 'it') as Field;
  return render(
    <FluentProvider theme={webLightTheme}>
      <MemoryRouter>
        <FieldValue field={field} value={value} record={record} plain={plain} />
      </MemoryRouter>
    </FluentProvider>,
  );
}

describe('a displayed value', () => {
  beforeEach(forgetScreens);

  it.each([
    [{ $ref: 'types#money' }, '1234567.50', '₹12,34,567.50'],
    [{ $ref: 'types#quantity', 'x-unit': 'kg' }, '12.5', '12.5 kg'],
    [{ $ref: 'types#percent' }, '12.5', '12.5 %'],
    [{ $ref: 'types#date' }, '2026-04-01', '01-04-2026'],
    [{ $ref: 'types#month' }, '2026-04', 'Apr 2026'],
    [{ $ref: 'types#duration' }, 95, '1:35'],
    [{ $ref: 'types#boolean' }, true, 'Yes'],
    [{ $ref: 'types#boolean' }, false, 'No'],
    [{ enum: ['in', 'out'], 'x-labels': { in: 'Came in' } }, 'in', 'Came in'],
    [{ $ref: 'types#tags' }, ['red', 'blue'], 'redblue'],
  ])('%o of %s reads %s', (property, value, text) => {
    expect(show(property, value).container.textContent?.trim()).toBe(text);
  });

  it.each([null, undefined, '', []])('shows a dash for none (%o)', (value) => {
    expect(show({ $ref: 'types#text' }, value).container.textContent).toBe('–');
  });

  it('never shows a secret', () => {
    expect(
      show({ $ref: 'types#text', 'x-secret': true }, 'leaked', { record: { it__set: true } }).container.textContent,
    ).toBe('Stored, not shown');
  });

  it('links to a referenced record if it may be opened', () => {
    screenRefs.set([screenSample('branch')]);
    const { unmount } = show({ $ref: 'types#ref', 'x-ref': 'thing' }, 5, { record: { it__label: 'Chennai' } });
    expect(screen.queryByRole('link')).toBeNull();
    unmount();
    screenRefs.set([screenSample('thing')]);
    show({ $ref: 'types#ref', 'x-ref': 'thing' }, 5, { record: { it__label: 'Chennai' } });
    expect(screen.getByRole('link', { name: 'Chennai' }).getAttribute('href')).toBe('/thing/view/5');
  });

  it('says on the card of a name that its record cannot be seen', async () => {
    screenRefs.set([screenSample('thing')]);
    const thing = oneField('it', { $ref: 'types#text' });
    const calls = fakeFetch({
      'GET /tapi/screens/thing': () => ({ body: { data: { screen: thing, validator: null } } }),
      'GET /tapi/thing/5/facts': () => ({ body: { data: null } }),
    });
    show({ $ref: 'types#ref', 'x-ref': 'thing' }, 5, { record: { it__label: 'Chennai' } });
    fireEvent.pointerEnter(screen.getByRole('link', { name: 'Chennai' }).parentElement!, { pointerType: 'mouse' });
    await screen.findByText('You do not have access to this record, or it no longer exists.');
    expect(calls.map(({ path }) => path)).not.toContain('/tapi/thing/5');
  });

  it('links e-mail, phone and web addresses, but no other kind of address', () => {
    show({ $ref: 'types#email' }, 'asha@acme.in');
    expect(screen.getByRole('link').getAttribute('href')).toBe('mailto:asha@acme.in');
    const { container } = show({ $ref: 'types#url' }, 'javascript:alert(1)');
    expect(container.querySelector('a')).toBeNull();
  });

  it('cleans formatted text again', async () => {
    show({ $ref: 'types#rich_text' }, '<p>Read <strong>this</strong><img src=x onerror=alert(1)></p>');
    expect((await screen.findByText('this')).closest('p')?.innerHTML).toBe('Read <strong>this</strong>');
  });

  it('is plain text where links would disturb', () => {
    const { container } = show({ $ref: 'types#email' }, 'asha@acme.in', { plain: true });
    expect(container.querySelector('a')).toBeNull();
  });
});
