import {
  ArrowMaximizeVerticalRegular,
  ArrowMinimizeVerticalRegular,
  ArrowUploadRegular,
  CalendarClockRegular,
  OrganizationRegular,
} from '@fluentui/react-icons';
import { Suspense, lazy, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { formatDate } from '../../../descriptor/format.ts';
import type { ApiError } from '../../api/http.ts';
import { api } from '../../api/http.ts';
import { useScreen, useScreenRef } from '../../api/screens.ts';
import { alertDialog, confirmDialog, toast } from '../../app/feedback.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { usePhone, useSession } from '../../app/session.ts';
import { today } from '../../../descriptor/place.ts';
import { useLandingKeys } from '../../runtime/landing/landing_keys.ts';
import landing from '../../runtime/landing/landing.module.css';
import { QuickSearch } from '../../runtime/landing/QuickSearch.tsx';
import type { TreeNode } from '../../runtime/tree/tree_model.ts';
import { TreeView } from '../../runtime/tree/TreeView.tsx';
import { useTree } from '../../runtime/tree/use_tree.ts';
import { refusalOfMove } from './reporting_model.ts';
import styles from './people.module.css';

const MoveDialog = lazy(() => import('./MoveDialog.tsx'));
const PATH = '/tapi/reporting_lines';

/** Restores the focus to the person after a dialog closes. */
function focusTree(): void {
  setTimeout(() => document.querySelector<HTMLElement>('main [role="tree"]')?.focus(), 50);
}

interface Moved {
  id: number;
  version: number;
  reporting_to_id: number | null;
  reporting_to_id__label?: string | null;
}

/** The reporting tree; a person is moved to another manager by dragging or by a dialog. */
export default function ReportingPage() {
  const phone = usePhone();
  const { entityId } = useSession();
  const { screen, error: screenError, retry } = useScreen('employee');
  const members = useScreenRef('employee');
  const history = useScreenRef('employee_history');
  const navigate = useNavigate();
  const { model, error, refresh, loadBelow, search } = useTree('employee', entityId, `${PATH}/tree`);
  const [open, setOpen] = useState<ReadonlySet<number> | null>(null);
  const [text, setText] = useState('');
  const [movingId, setMovingId] = useState<number | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useLandingKeys({ '/': () => input.current?.focus() });

  const opened = useMemo(
    () =>
      open ??
      new Set(
        model
          ?.all()
          .filter(({ id }) => model.parentsOf(id).length < 2)
          .map(({ id }) => id),
      ),
    [open, model],
  );
  const found = useMemo(() => (text !== '' && model ? model.matches(text) : null), [text, model]);
  const lines = useMemo(() => model?.lines(opened, found?.shown ?? null) ?? [], [model, opened, found]);

  const find = (wanted: string) => {
    setText(wanted);
    if (wanted !== '' && model && !model.isComplete()) search(wanted);
  };
  const toggle = (node: TreeNode, wanted: boolean) => {
    const next = new Set(opened);
    if (wanted) next.add(node.id);
    else next.delete(node.id);
    setOpen(next);
    if (wanted && model?.isMissingChildren(node)) loadBelow(node.id);
  };
  const put = async (node: TreeNode, to: number | null, version: number) => {
    const { data } = await api.put<{ data: Moved }>(
      `${PATH}/${node.id}`,
      { reporting_to_id: to, version },
      { quiet: true },
    );
    if (to !== null) setOpen(new Set([...opened, to]));
    refresh();
    return data;
  };
  const move = async (
    node: TreeNode,
    manager: TreeNode | null,
    version = node.version as number,
    before = node.parent,
  ): Promise<void> => {
    try {
      const moved = await put(node, manager?.id ?? null, version);
      toast.success(manager ? `${node.label} reports to ${manager.label} now.` : `${node.label} is at the top now.`, {
        action: {
          label: 'Undo',
          onClick: () =>
            void put(node, before, moved.version).catch((thrown: unknown) => toast.error((thrown as ApiError).message)),
        },
      });
    } catch (thrown) {
      const refused = thrown as ApiError;
      refresh();
      if (refused.code !== 'stale_version') {
        void alertDialog({ type: 'error', text: refused.message });
        return;
      }
      const theirs = refused.extra.theirs as Moved;
      const sure = await confirmDialog({
        title: refused.message,
        text: `${node.label} now reports to ${theirs.reporting_to_id__label ?? 'nobody'}. ${manager ? `Move under ${manager.label}` : 'Move to the top'} all the same?`,
        confirmLabel: 'Move all the same',
      });
      if (sure) await move(node, manager, theirs.version, theirs.reporting_to_id);
    }
  };
  /** A change for a later day: entered now, carried out then. */
  const plan = async (node: TreeNode, manager: TreeNode | null, from: string): Promise<void> => {
    try {
      await api.post(
        `/tapi/employee/${node.id}/move`,
        { effective_from: from, reporting_to_id: manager?.id ?? null, version: node.version },
        { quiet: true },
      );
      toast.success(
        `${node.label} ${manager ? `reports to ${manager.label}` : 'is at the top'} from ${formatDate(from)}.`,
        history && { action: { label: 'View', onClick: () => void navigate(history.routes.landing) } },
      );
    } catch (thrown) {
      refresh();
      void alertDialog({ type: 'error', text: (thrown as ApiError).message });
    }
  };
  const drop = async (node: TreeNode, manager: TreeNode | null) => {
    const refusal = model && refusalOfMove(model, node.id, manager?.id ?? null);
    if (refusal) {
      void alertDialog({ type: 'error', text: refusal });
      return;
    }
    const below = model?.countBelow(node.id) ?? 0;
    const sure = await confirmDialog({
      title: manager ? `Move ${node.label} under ${manager.label}?` : `Move ${node.label} to the top?`,
      ...(below > 0 && {
        text: below === 1 ? 'The person below moves too.' : `The ${below} people below move too.`,
      }),
      confirmLabel: 'Move',
    });
    if (sure) await move(node, manager);
  };
  // The current person, even if somebody else moved them while the dialog is open.
  const moving = movingId === null ? undefined : model?.get(movingId);
  const failed = screenError ?? (model ? null : error);

  return (
    <Page
      title="Reporting lines"
      {...(members?.rights.landing && { breadcrumbs: [{ label: members.plural, to: members.routes.landing }] })}
      layout={phone ? 'page' : 'fill'}
      more={[
        {
          label: 'Open all',
          icon: <ArrowMaximizeVerticalRegular />,
          onClick: () => setOpen(new Set(model?.all().map(({ id }) => id))),
        },
        { label: 'Close all', icon: <ArrowMinimizeVerticalRegular />, onClick: () => setOpen(new Set()) },
        ...(history?.rights.landing
          ? [{ label: 'Planned changes', icon: <CalendarClockRegular />, to: history.routes.landing }]
          : []),
        ...(history?.rights.import
          ? [{ label: 'Change many from Excel…', icon: <ArrowUploadRegular />, to: `${history.routes.landing}?import` }]
          : []),
      ]}
    >
      <PageBody>
        <div className={landing.tools}>
          <QuickSearch inputRef={input} value={text} label="Search people" onChange={find} />
          <output className={landing.count}>
            {model ? (found ? `${found.hits.size} of ${model.size}` : String(model.size)) : ''}
          </output>
        </div>
        <p className={styles.hint}>
          {phone
            ? 'Press “…” beside a person to choose another manager.'
            : 'Drag a person, with everybody below, to another manager; or press Enter on a person and choose the manager.'}
        </p>
        {failed ? (
          <ErrorView
            error={failed}
            title="The reporting lines could not be loaded."
            retry={screenError ? retry : refresh}
          />
        ) : !model || !screen ? (
          <Skeleton rows={12} label="Loading people" />
        ) : model.size === 0 ? (
          <EmptyState
            icon={<OrganizationRegular />}
            title="Nobody is here yet"
            text="Add members first, then set their managers."
            {...(members?.routes.add &&
              members.rights.add_screen && { actions: [{ label: 'Add employee', to: members.routes.add }] })}
          />
        ) : lines.length === 0 ? (
          <EmptyState
            icon={<OrganizationRegular />}
            title="Nobody matches"
            actions={[{ label: 'Clear the search', onClick: () => setText('') }]}
          />
        ) : (
          <TreeView
            screen={screen}
            lines={lines}
            hits={found?.hits ?? null}
            phone={phone}
            address={() => null}
            // A cycle may be attempted: the answer names the people in it.
            mayMove={(id, parent) => id !== parent && model.get(id)?.parent !== parent}
            onOpen={(node) => setMovingId(node.id)}
            onToggle={toggle}
            onAddBelow={null}
            onMenu={(node) => setMovingId(node.id)}
            onMove={(node, manager) => void drop(node, manager)}
          />
        )}
      </PageBody>
      {moving && model && (
        <Suspense fallback={null}>
          <MoveDialog
            node={moving}
            model={model}
            search={search}
            onClose={() => {
              setMovingId(null);
              focusTree();
            }}
            onMove={(manager, from) => {
              setMovingId(null);
              void (from > today() ? plan(moving, manager, from) : move(moving, manager)).then(focusTree);
            }}
          />
        </Suspense>
      )}
    </Page>
  );
}
