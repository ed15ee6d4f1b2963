import {
  AddRegular,
  ArrowMaximizeVerticalRegular,
  ArrowMinimizeVerticalRegular,
  TableRegular,
  TextBulletListTreeRegular,
} from '@fluentui/react-icons';
import { Suspense, lazy, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { WireRecord } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import { confirmDialog, toast } from '../../app/feedback.ts';
import { MenuIcon } from '../../app/layout/MenuIcon.tsx';
import type { PageAction } from '../../app/page_action.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { usePhone, useSession } from '../../app/session.ts';
import { fieldOf } from '../landing/cell_text.ts';
import { useLandingKeys } from '../landing/landing_keys.ts';
import landing from '../landing/landing.module.css';
import { QuickSearch } from '../landing/QuickSearch.tsx';
import { useRecordActions } from '../landing/use_record_actions.tsx';
import type { PageProps } from '../page_props.ts';
import type { TreeNode } from './tree_model.ts';
import { TreeView } from './TreeView.tsx';
import { useTree } from './use_tree.ts';
import { useTreeLines } from './use_tree_lines.ts';

const RowMenu = lazy(() => import('../landing/RowMenu.tsx'));
const AdoptDialog = lazy(() => import('../library/AdoptDialog.tsx'));
const InUseDialog = lazy(() => import('../landing/InUseDialog.tsx'));

/** A hierarchy as a tree: open, search, add below, move by dragging. */
export default function TreePage({ screen, access, query }: PageProps) {
  const phone = usePhone();
  const navigate = useNavigate();
  const { entityId } = useSession();
  const tree = useTree(screen.name, entityId);
  const { model, error, refresh } = tree;
  const { text, setText, lines, hits, toggle, openToo, openAll, closeAll, count } = useTreeLines(
    tree,
    query.get('q') ?? '',
  );
  const actions = useRecordActions(screen, access, refresh);
  const [menu, setMenu] = useState<{ record: WireRecord; target: HTMLElement } | null>(null);
  const [adopting, setAdopting] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  const { rights, routes } = access;
  const parentField = screen.tree?.parent ?? '';
  const addAddress = routes.add !== null && rights.add_screen && rights.write ? routes.add : null;
  const mayMove = rights.edit_screen && rights.write && fieldOf(screen, parentField)?.readOnly !== true;
  useLandingKeys({
    '/': () => input.current?.focus(),
    n: addAddress === null ? null : () => void navigate(addAddress),
  });

  const showMenu = (node: TreeNode, target: HTMLElement) => {
    // The tree does not include versions; the record does.
    api
      .get<{ data: WireRecord }>(`/tapi/${screen.name}/${node.id}`)
      .then(({ data }) => setMenu({ record: data, target }))
      .catch(() => undefined);
  };
  const move = (node: TreeNode, parent: TreeNode | null) => {
    void moveNode(screen.name, parentField, node, parent, model?.countBelow(node.id) ?? 0, () => {
      if (parent) openToo(parent.id);
      refresh();
    });
  };

  const add: PageAction | undefined =
    addAddress === null
      ? undefined
      : { label: `Add ${lower(screen.title)}`, icon: <AddRegular />, to: addAddress, shortcut: 'N' };
  const adopt: PageAction[] =
    access.library && addAddress !== null
      ? [{ label: 'Add from library…', icon: <MenuIcon name="Library" />, onClick: () => setAdopting(true) }]
      : [];
  const secondary: PageAction[] = [
    { label: 'List', icon: <TableRegular />, onClick: () => void navigate(routes.landing) },
  ];
  const more: PageAction[] = [
    ...adopt,
    { label: 'Open all', icon: <ArrowMaximizeVerticalRegular />, onClick: openAll },
    { label: 'Close all', icon: <ArrowMinimizeVerticalRegular />, onClick: closeAll },
  ];

  return (
    <Page
      title={screen.plural}
      layout={phone ? 'page' : 'fill'}
      {...(add && { primary: add })}
      secondary={secondary}
      more={more}
    >
      <PageBody>
        <div className={landing.tools}>
          <QuickSearch inputRef={input} value={text} label={`Search ${lower(screen.plural)}`} onChange={setText} />
          <output className={landing.count} aria-label={count === '' ? 'Counting' : `${count} records`}>
            {count}
          </output>
        </div>
        {error && !model ? (
          <ErrorView error={error} title={`The tree of ${lower(screen.plural)} could not be loaded.`} retry={refresh} />
        ) : !model ? (
          <Skeleton rows={12} label={`Loading ${lower(screen.plural)}`} />
        ) : model.size === 0 ? (
          <EmptyState
            icon={<TextBulletListTreeRegular />}
            title={`No ${lower(screen.plural)} yet`}
            {...(screen.description && { text: screen.description })}
            actions={[...(add ? [{ ...add, shortcut: '' }] : []), ...adopt]}
          />
        ) : lines.length === 0 ? (
          <EmptyState
            icon={<TextBulletListTreeRegular />}
            title={`No ${lower(screen.plural)} match`}
            actions={[{ label: 'Clear the search', onClick: () => setText('') }]}
          />
        ) : (
          <TreeView
            screen={screen}
            lines={lines}
            hits={hits}
            phone={phone}
            address={(node) => actions.address(asRecord(node))}
            mayMove={mayMove ? (id, parent) => model.mayMove(id, parent) : null}
            onOpen={(node, newTab) => actions.open(asRecord(node), newTab)}
            onToggle={toggle}
            onAddBelow={addAddress === null ? null : (node) => void navigate(`${addAddress}?${parentField}=${node.id}`)}
            onMenu={showMenu}
            onMove={move}
          />
        )}
      </PageBody>
      <Suspense fallback={null}>
        {menu && (
          <RowMenu
            {...menu}
            screen={screen}
            access={access}
            actions={actions}
            onChanged={refresh}
            onClose={() => setMenu(null)}
          />
        )}
        {adopting && <AdoptDialog screen={screen} onAdopted={refresh} onClose={() => setAdopting(false)} />}
        {actions.inUse && <InUseDialog screen={screen} actions={actions} />}
      </Suspense>
    </Page>
  );
}

function asRecord(node: TreeNode): WireRecord {
  return { version: 0, active: true, ...node };
}

function lower(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** Moves a record, shown by `node`, to another parent, after confirmation; the toast can undo it. */
export async function moveNode(
  type: string,
  parentField: string,
  node: TreeNode,
  parent: TreeNode | null,
  below: number,
  moved: () => void,
  recordOf: (node: TreeNode) => number = ({ id }) => id,
): Promise<void> {
  const place = parent ? `under ${parent.label}` : 'to the top';
  const sure = await confirmDialog({
    title: `Move ${node.label} ${place}?`,
    ...(below > 0 && { text: below === 1 ? 'Everything below it moves too.' : `The ${below} below it move too.` }),
    confirmLabel: 'Move',
  });
  if (!sure) return;
  const path = `/tapi/${type}/${recordOf(node)}`;
  const put = async (to: number | null, version: number) => {
    const { data } = await api.put<{ data: WireRecord }>(path, { [parentField]: to, version });
    moved();
    return data;
  };
  try {
    const { data: before } = await api.get<{ data: WireRecord }>(path);
    const after = await put(parent && recordOf(parent), before.version);
    toast.success(`${node.label} is now ${parent ? place : 'at the top'}.`, {
      action: {
        label: 'Undo',
        onClick: () => void put((before[parentField] as number | null) ?? null, after.version).catch(() => undefined),
      },
    });
  } catch {
    // The call has shown why.
  }
}
