import {
  AddRegular,
  ArrowMaximizeVerticalRegular,
  ArrowMinimizeVerticalRegular,
  TableRegular,
  TextBulletListTreeRegular,
} from '@fluentui/react-icons';
import { Suspense, lazy, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import { pageAddress, screenRefs, useScreen, useScreenRef } from '../../api/screens.ts';
import type { PageAction } from '../../app/page_action.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { usePhone, useSession } from '../../app/session.ts';
import { useLandingKeys } from '../landing/landing_keys.ts';
import landing from '../landing/landing.module.css';
import { QuickSearch } from '../landing/QuickSearch.tsx';
import { useRecordActions } from '../landing/use_record_actions.tsx';
import type { PageProps } from '../page_props.ts';
import { moveNode } from './TreePage.tsx';
import type { TreeNode } from './tree_model.ts';
import { TreeView } from './TreeView.tsx';
import { useTree } from './use_tree.ts';
import { useTreeLines } from './use_tree_lines.ts';

const RowMenu = lazy(() => import('../landing/RowMenu.tsx'));
const InUseDialog = lazy(() => import('../landing/InUseDialog.tsx'));

/** A node of several types: `id` is unique across types, `record` is the record's id within `type`. */
const typeOf = (node: TreeNode) => node.type as string;
const recordOf = (node: TreeNode) => node.record as number;

/** Records of several types as one tree: each is below the record that it refers to. */
export default function HierarchyPage({ screen, access, query }: PageProps) {
  const phone = usePhone();
  const navigate = useNavigate();
  const { entityId } = useSession();
  const refs = screenRefs.use();
  const { title = screen.plural, levels: below = [] } = screen.hierarchy ?? {};
  // The tree ends at types that this person may not open, as on the server.
  const levels = useMemo(
    () =>
      [{ type: screen.name, parent: '' }, ...below].map((level) => ({
        ...level,
        ref: refs.find(({ name }) => name === level.type),
      })),
    [screen.name, below, refs],
  );
  const tree = useTree(levels.map(({ type }) => type).join(' '), entityId, `/tapi/${screen.name}/hierarchy`);
  const { model, error, refresh } = tree;
  const { text, setText, lines, hits, toggle, openToo, openAll, closeAll, count } = useTreeLines(
    tree,
    query.get('q') ?? '',
  );
  const [menu, setMenu] = useState<{ type: string; record: WireRecord; target: HTMLElement; turn: number } | null>(
    null,
  );
  const input = useRef<HTMLInputElement>(null);

  const depthOf = (node: TreeNode) => levels.findIndex(({ type }) => type === typeOf(node));
  const addTo = (depth: number) => {
    const level = levels[depth];
    const address = level?.ref?.rights.write ? pageAddress(level.ref, 'add_screen') : null;
    return level?.ref && address !== null
      ? { address, parent: level.parent, label: `Add ${lower(level.ref.title)}` }
      : null;
  };
  const address = (node: TreeNode) => {
    const ref = levels[depthOf(node)]?.ref;
    return ref
      ? (pageAddress(ref, 'view_screen', recordOf(node)) ?? pageAddress(ref, 'edit_screen', recordOf(node)))
      : null;
  };
  const open = (node: TreeNode, newTab: boolean) => {
    const to = address(node);
    if (to === null) return;
    if (newTab) window.open(to, '_blank', 'noopener');
    else void navigate(to);
  };
  const mayMove = (id: number, parent: number | null) => {
    const node = model?.get(id);
    const above = parent === null ? undefined : model?.get(parent);
    const ref = node && levels[depthOf(node)]?.ref;
    return (
      node !== undefined &&
      above !== undefined &&
      depthOf(above) === depthOf(node) - 1 &&
      node.parent !== parent &&
      ref?.rights.edit_screen === true &&
      ref.rights.write
    );
  };
  const move = (node: TreeNode, parent: TreeNode | null) => {
    if (!parent) return;
    const moved = () => {
      openToo(parent.id);
      refresh();
    };
    void moveNode(
      typeOf(node),
      levels[depthOf(node)]?.parent ?? '',
      node,
      parent,
      model?.countBelow(node.id) ?? 0,
      moved,
      recordOf,
    );
  };
  const showMenu = (node: TreeNode, target: HTMLElement) => {
    const type = typeOf(node);
    api
      .get<{ data: WireRecord }>(`/tapi/${type}/${recordOf(node)}`)
      .then(({ data }) => setMenu((old) => ({ type, record: data, target, turn: (old?.turn ?? 0) + 1 })))
      .catch(() => undefined);
  };

  const top = addTo(0);
  useLandingKeys({
    '/': () => input.current?.focus(),
    n: top && (() => void navigate(top.address)),
  });
  const add: PageAction | null = top && { label: top.label, icon: <AddRegular />, to: top.address, shortcut: 'N' };
  const secondary: PageAction[] = access.rights.landing
    ? [{ label: screen.plural, icon: <TableRegular />, to: access.routes.landing }]
    : [];
  const more: PageAction[] = [
    { label: 'Open all', icon: <ArrowMaximizeVerticalRegular />, onClick: openAll },
    { label: 'Close all', icon: <ArrowMinimizeVerticalRegular />, onClick: closeAll },
  ];

  return (
    <Page
      title={title}
      layout={phone ? 'page' : 'fill'}
      {...(add && { primary: add })}
      secondary={secondary}
      more={more}
    >
      <PageBody>
        <div className={landing.tools}>
          <QuickSearch inputRef={input} value={text} label={`Search ${lower(title)}`} onChange={setText} />
          <output className={landing.count} aria-label={count === '' ? 'Counting' : `${count} records`}>
            {count}
          </output>
        </div>
        {error && !model ? (
          <ErrorView error={error} title={`${title} could not be loaded.`} retry={refresh} />
        ) : !model ? (
          <Skeleton rows={12} label={`Loading ${lower(title)}`} />
        ) : model.size === 0 ? (
          <EmptyState
            icon={<TextBulletListTreeRegular />}
            title={`No ${lower(screen.plural)} yet`}
            {...(screen.description && { text: screen.description })}
            actions={add ? [{ ...add, shortcut: '' }] : []}
          />
        ) : lines.length === 0 ? (
          <EmptyState
            icon={<TextBulletListTreeRegular />}
            title="Nothing matches"
            actions={[{ label: 'Clear the search', onClick: () => setText('') }]}
          />
        ) : (
          <TreeView
            screen={asOneList(screen, title)}
            facts={[{ name: 'type', title: 'Kind', text: (node) => levels[depthOf(node)]?.ref?.title ?? '' }]}
            lines={lines}
            hits={hits}
            phone={phone}
            address={address}
            mayMove={mayMove}
            onOpen={open}
            onToggle={toggle}
            onAddBelow={(node) => {
              const to = addTo(depthOf(node) + 1);
              if (to) void navigate(`${to.address}?${to.parent}=${recordOf(node)}`);
            }}
            addLabel={(node) => {
              const to = addTo(depthOf(node) + 1);
              return to && `${to.label} below`;
            }}
            onMenu={showMenu}
            onMove={move}
          />
        )}
      </PageBody>
      {menu && <NodeMenu key={menu.turn} {...menu} onChanged={refresh} />}
    </Page>
  );
}

interface NodeMenuProps {
  type: string;
  record: WireRecord;
  target: HTMLElement;
  onChanged: () => void;
}

/** The "…" menu of a node, by the rights and actions of its own type. */
function NodeMenu(props: NodeMenuProps) {
  const { screen } = useScreen(props.type);
  const access = useScreenRef(props.type);
  return screen && access ? <LoadedMenu {...props} screen={screen} access={access} /> : null;
}

/** It stays mounted when the menu is closed, because it shows a refusal to delete. */
function LoadedMenu({
  screen,
  access,
  record,
  target,
  onChanged,
}: NodeMenuProps & Pick<PageProps, 'screen' | 'access'>) {
  const actions = useRecordActions(screen, access, onChanged);
  const [closed, setClosed] = useState(false);
  return (
    <Suspense fallback={null}>
      {!closed && (
        <RowMenu
          screen={screen}
          access={access}
          record={record}
          target={target}
          actions={actions}
          onChanged={onChanged}
          onClose={() => setClosed(true)}
        />
      )}
      {actions.inUse && <InUseDialog screen={screen} actions={actions} />}
    </Suspense>
  );
}

/** The headings of a tree of several types. */
function asOneList(screen: Screen, title: string): Screen {
  return { ...screen, title: 'Name', plural: title };
}

function lower(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
