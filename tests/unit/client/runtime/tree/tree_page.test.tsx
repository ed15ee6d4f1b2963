import { act, fireEvent, screen as page, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toasts } from '../../../../../src/client/app/feedback.ts';
import { forgetSession } from '../../../../../src/client/app/session.ts';
import TreePage from '../../../../../src/client/runtime/tree/TreePage.tsx';
import type { FakeCall } from '../../app/fetch_fake.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { contractRow, contractScreen } from '../contract_screen.ts';
import '../patience.ts';
import { openPage } from '../page_harness.tsx';

const screen = contractScreen();

interface Node {
  id: number;
  parent: number | null;
  label: string;
  detail: string;
  children_count: number;
}
const node = (id: number, parent: number | null, label: string, children: number): Node => ({
  id,
  parent,
  label,
  detail: `C${id}`,
  children_count: children,
});
const whole = [
  node(1, null, 'North', 2),
  node(2, 1, 'Delhi', 1),
  node(3, 1, 'Jaipur', 0),
  node(4, 2, 'Rohini', 0),
  node(5, null, 'South', 0),
];

function serve(nodes: () => Node[] = () => whole, more: Parameters<typeof fakeFetch>[0] = {}): FakeCall[] {
  return fakeFetch({
    'GET /tapi/contract/tree': ({ query }) => {
      const root = query.get('root');
      return { body: { data: root === null ? nodes() : whole.filter(({ parent }) => parent === Number(root)) } };
    },
    ...more,
  });
}
const names = () => page.queryAllByRole('treeitem').map((line) => line.getAttribute('aria-label')?.split(',')[0]);
const line = (name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}`) });

beforeEach(() => {
  // The tree draws what fits; jsdom says that nothing does.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(900);
});
afterEach(() => {
  vi.restoreAllMocks();
  forgetSession();
});

describe('the tree', () => {
  it('shows the top level and its children', async () => {
    serve();
    openPage(TreePage, screen, '?view=tree');
    await page.findByRole('tree', { name: 'Contracts' });
    await waitFor(() => expect(names()).toEqual(['North', 'Delhi', 'Jaipur', 'South']));
    expect(line('Delhi').getAttribute('aria-level')).toBe('2');
    expect(line('Delhi').getAttribute('aria-expanded')).toBe('false');
    expect(line('Jaipur').hasAttribute('aria-expanded')).toBe(false);
  });

  it('offers the platform’s library if the list has one', async () => {
    serve(() => [], { 'GET /tapi/contract/library': () => ({ body: { data: [], industry: null, withdrawn: [] } }) });
    openPage(TreePage, { ...screen, library: { from: 'admin_contract', origin: 'code', map: {} } }, '?view=tree');
    await userEvent.click(await page.findByRole('button', { name: 'Add from library…' }));
    expect(await page.findByRole('dialog', { name: /from the library$/ })).toBeDefined();
  });

  it('is navigated by keyboard: down, open, in, out, end, and Enter opens the record', async () => {
    serve();
    const router = openPage(TreePage, screen, '?view=tree');
    const tree = await page.findByRole('tree');
    await waitFor(() => expect(names()).toHaveLength(4));
    const current = () =>
      page
        .getAllByRole('treeitem')
        .find((one) => one.getAttribute('aria-selected') === 'true')
        ?.getAttribute('aria-label')
        ?.split(',')[0];
    act(() => tree.focus());
    await userEvent.keyboard('{ArrowDown}{ArrowRight}{ArrowRight}');
    expect(current()).toBe('Rohini');
    await userEvent.keyboard('{ArrowLeft}');
    expect(current()).toBe('Delhi');
    await userEvent.keyboard('{ArrowLeft}');
    expect(names()).not.toContain('Rohini');
    await userEvent.keyboard('{End}');
    expect(current()).toBe('South');
    await userEvent.keyboard('{Home}');
    expect(current()).toBe('North');
    await userEvent.keyboard('j');
    expect(current()).toBe('Jaipur');
    await userEvent.keyboard('{Enter}');
    expect(router.state.location.pathname).toBe('/contract/view/3');
  });

  it('finds deep nodes, and shows the path', async () => {
    serve();
    openPage(TreePage, screen, '?view=tree');
    await page.findByRole('tree');
    await userEvent.type(page.getByRole('searchbox'), 'rohini');
    await waitFor(() => expect(names()).toEqual(['North', 'Delhi', 'Rohini']));
    await userEvent.clear(page.getByRole('searchbox'));
    await userEvent.type(page.getByRole('searchbox'), 'atlantis');
    await page.findByText('No contracts match');
  });

  it('loads the children of a large tree on opening', async () => {
    const calls = serve(() => whole.filter(({ parent }) => parent === null));
    openPage(TreePage, screen, '?view=tree');
    await page.findByRole('tree');
    await waitFor(() => expect(names()).toEqual(['North', 'South']));
    const tree = page.getByRole('tree');
    act(() => tree.focus());
    if (line('North').getAttribute('aria-expanded') === 'true') await userEvent.keyboard('{ArrowLeft}');
    await userEvent.keyboard('{ArrowRight}');
    await waitFor(() => expect(names()).toEqual(['North', 'Delhi', 'Jaipur', 'South']));
    expect(calls.some(({ query }) => query.get('root') === '1')).toBe(true);
  });

  it('adds below a node', async () => {
    serve();
    const router = openPage(TreePage, screen, '?view=tree');
    await page.findByRole('tree');
    await userEvent.click(await page.findByRole('button', { name: 'Add below Delhi' }));
    expect(router.state.location.pathname + router.state.location.search).toBe('/contract/add?contract_id=2');
  });

  it('moves a node with its version after confirmation, and undoes it', async () => {
    let version = 4;
    const calls = serve(() => whole, {
      'GET /tapi/contract/3': () => ({ body: { data: contractRow(3, { name: 'Jaipur', version, contract_id: 1 }) } }),
      'PUT /tapi/contract/3': ({ body }) => ({
        body: { data: contractRow(3, { ...(body as object), version: ++version }) },
      }),
    });
    openPage(TreePage, screen, '?view=tree');
    await waitFor(() => expect(names()).toHaveLength(4));
    const transfer = { effectAllowed: '', setData: () => undefined };
    fireEvent.dragStart(line('Jaipur'), { dataTransfer: transfer });
    fireEvent.dragOver(line('South'), { dataTransfer: transfer });
    fireEvent.drop(line('South'), { dataTransfer: transfer });
    const asked = await page.findByRole('alertdialog');
    within(asked).getByText('Move Jaipur under South?');
    await userEvent.click(within(asked).getByRole('button', { name: 'Move' }));
    await waitFor(() => expect(toasts.get()[0]?.text).toBe('Jaipur is now under South.'));
    const puts = () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);
    expect(puts()[0]).toMatchObject({ contract_id: 5, version: 4 });
    act(() => toasts.get()[0]?.action?.onClick());
    await waitFor(() => expect(puts()[1]).toMatchObject({ contract_id: 1, version: 5 }));
  });

  it('never moves a node below itself, and requires the right', async () => {
    serve();
    openPage(TreePage, screen, '?view=tree');
    await waitFor(() => expect(names()).toHaveLength(4));
    const transfer = { effectAllowed: '', setData: () => undefined };
    fireEvent.dragStart(line('North'), { dataTransfer: transfer });
    fireEvent.drop(line('Delhi'), { dataTransfer: transfer });
    expect(page.queryByRole('alertdialog')).toBeNull();
  });

  it('is read-only without the right to write', async () => {
    serve();
    openPage(TreePage, screen, '?view=tree', { write: false, remove: false });
    await waitFor(() => expect(names()).toHaveLength(4));
    expect(line('Delhi').draggable).toBe(false);
    expect(page.queryByRole('button', { name: 'Add below Delhi' })).toBeNull();
    expect(page.queryByText('Add contract')).toBeNull();
  });
});
