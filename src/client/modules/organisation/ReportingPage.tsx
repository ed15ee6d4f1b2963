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
import type { Move } from './move_call.ts';
import { linkedBack, postMove } from './move_call.ts';
import { chartOf, choiceInList } from './reporting_model.ts';
import styles from './org_chart.module.css';

const ChangeManagerDialog = lazy(() => import('./ChangeManagerDialog.tsx'));
const PATH = '/tapi/reporting_lines';

/** Restores the focus to the person after a dialog closes. */
function focusTree(): void {
  setTimeout(() => document.querySelector<HTMLElement>('main [role="tree"]')?.focus(), 50);
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
  const [moving, setMoving] = useState<{ id: number; manager?: number | null } | null>(null);
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
  const tree = useMemo(() => model && chartOf(model), [model]);
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
  const move = async (wanted: Move, version: number | undefined): Promise<void> => {
    const { id, manager, from, reason } = wanted;
    const node = model!.get(id)!;
    const to = manager === null ? null : model!.get(manager)!;
    const isLater = from > today();
    try {
      await postMove(wanted, version);
      if (to !== null) setOpen(new Set([...opened, to.id]));
      refresh();
      const words = `${node.label} ${to ? `reports to ${to.label}` : 'is at the top'}`;
      if (isLater)
        toast.success(
          `${words} from ${formatDate(from)}.`,
          history && { action: { label: 'View', onClick: () => void navigate(history.routes.landing) } },
        );
      else
        toast.success(`${words} now.`, {
          action: {
            label: 'Undo',
            onClick: () =>
              void postMove({
                ...wanted,
                relinks: linkedBack(wanted),
                manager: node.parent,
                reason: `Taken back: ${reason}`,
              })
                .then(refresh)
                .catch((thrown: unknown) => toast.error((thrown as ApiError).message)),
          },
        });
    } catch (thrown) {
      const refused = thrown as ApiError;
      refresh();
      if (refused.code !== 'stale_version') {
        void alertDialog({ type: 'error', text: refused.message });
        return;
      }
      const sure = await confirmDialog({
        title: refused.message,
        text: `${to ? `Move ${node.label} under ${to.label}` : `Move ${node.label} to the top`} all the same?`,
        confirmLabel: 'Move all the same',
      });
      if (sure) await move(wanted, undefined);
    }
  };
  const drop = (node: TreeNode, manager: TreeNode | null) => {
    const refusal = tree?.refusal(node.id, manager?.id ?? null) ?? null;
    if (refusal === null) setMoving({ id: node.id, manager: manager?.id ?? null });
    else void alertDialog({ type: 'error', text: refusal });
  };
  // The current person, even if somebody else moved them while the dialog is open.
  const person = moving === null ? undefined : model?.get(moving.id);
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
        <p className={styles.faint}>
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
            onOpen={({ id }) => setMoving({ id })}
            onToggle={toggle}
            onAddBelow={null}
            onMenu={({ id }) => setMoving({ id })}
            onMove={drop}
          />
        )}
      </PageBody>
      {moving && person && model && tree && (
        <Suspense fallback={null}>
          <ChangeManagerDialog
            choice={choiceInList(model, tree, person.id)}
            manager={moving.manager}
            onSearch={(wanted) => !model.isComplete() && search(wanted)}
            onClose={() => {
              setMoving(null);
              focusTree();
            }}
            onMove={(wanted) => {
              setMoving(null);
              void move(wanted, person.version as number).then(focusTree);
            }}
          />
        </Suspense>
      )}
    </Page>
  );
}
