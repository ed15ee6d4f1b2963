import { MessageBar } from '@fluentui/react-components';
import {
  ArrowCounterclockwiseRegular,
  CopyRegular,
  DeleteRegular,
  EditRegular,
  EyeOffRegular,
  QrCodeRegular,
} from '@fluentui/react-icons';
import { Suspense, lazy, useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { RecordAction, Screen, WireRecord } from '../../../descriptor/types.ts';
import { amending, stateField } from '../../../descriptor/workflow.ts';
import { ApiError, api } from '../../api/http.ts';
import { onLive, pageAddress } from '../../api/screens.ts';
import { confirmDialog, toast } from '../../app/feedback.ts';
import type { PageAction } from '../../app/page_action.ts';
import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { MenuIcon } from '../../app/layout/MenuIcon.tsx';
import { noteRecentPlace } from '../../app/recent_places.ts';
import type { PageProps } from '../page_props.ts';
import { actionAddress } from '../action_address.ts';
import { mayLeave } from '../../../descriptor/may_leave.ts';
import { actionsFor, callAction } from '../record_action.ts';
import { RecordView } from './RecordView.tsx';
import styles from './form.module.css';
import { useRecord } from './use_record.ts';
import { hasLevels } from '../workflow/approved_document.ts';
import StepBar from '../workflow/StepBar.tsx';
import { usePrints } from '../print/use_prints.tsx';
import { makeActions } from '../workflow/make_actions.tsx';
import { isOpenToEdit, useSteps } from '../workflow/use_steps.tsx';
import { recordName, recordHeading } from './values.ts';
import type { UsedBy } from './UsedByDialog.tsx';

const Timeline = lazy(() => import('../history/Timeline.tsx'));
const RelatedRecords = lazy(() => import('../related/RelatedRecords.tsx'));
const RecordPanel = lazy(() => import('../related/RecordPanel.tsx'));
const RecordTile = lazy(() => import('../related/RecordTile.tsx'));
const ApprovalLevels = lazy(() => import('../workflow/ApprovalLevels.tsx'));
const RefusedHere = lazy(() => import('../offline/RefusedHere.tsx'));
const IssuedPrints = lazy(() => import('../print/IssuedPrints.tsx'));
const PublicLinkDialog = lazy(() => import('./PublicLinkDialog.tsx'));
const UsedByDialog = lazy(() => import('./UsedByDialog.tsx'));

/** A record to read, with its history beside it. */
export default function ViewPage(props: PageProps) {
  const { screen, id } = props;
  const { loaded, error, retry, refresh } = useRecord(screen, { id });
  useEffect(
    () =>
      onLive(
        (live) =>
          live.event === 'record' &&
          live.data.type === screen.name &&
          String(live.data.id) === id &&
          live.data.op !== 'D' &&
          // Text being typed into a dialog of this page is kept.
          refresh(),
      ),
    [screen.name, id, refresh],
  );
  if (loaded && id !== undefined)
    return <LoadedView {...props} id={id} record={loaded.base as WireRecord} reload={retry} />;
  return (
    <Page title={screen.title} layout="page">
      <PageBody>{error ? <ErrorView error={error} retry={retry} home /> : <Skeleton rows={10} />}</PageBody>
    </Page>
  );
}

function LoadedView({
  screen,
  access,
  id,
  query,
  record,
  reload,
}: PageProps & { id: string; record: WireRecord; reload: () => void }) {
  const { usedBy, setUsedBy, setActive, remove } = useViewActions(
    screen,
    record,
    reload,
    pageAddress(access, 'landing') ?? '/',
  );
  const { rights, routes } = access;
  const mayEdit = rights.edit_screen && rights.write && routes.edit !== null && isOpenToEdit(screen, record);
  const mayAdd = rights.add_screen && rights.write && routes.add !== null;
  const number = screen.number ? String(record[screen.number.field] ?? '') : '';
  const name = recordHeading(screen, record) || screen.title;
  const address = pageAddress(access, 'view_screen', id);
  useEffect(() => {
    if (address !== null) noteRecentPlace({ to: address, title: name, what: screen.title });
  }, [address, name, screen.title]);
  const counted = amending(screen)?.amend.revision;
  const revision = counted === undefined ? 0 : Number(record[counted] ?? 0);
  const beside = [
    ...(number !== '' && number !== name ? [number] : []),
    ...(revision > 0 ? [`Revision ${revision}`] : []),
  ];
  const status = statusOf(screen, record);

  const [links, setLinks] = useState(false);
  const refused = (record._refused as { title: string; message: string }[] | undefined) ?? [];
  const { steps, dialog } = useSteps(screen, record, reload, query.get('step'));
  const { actions: prints, issued } = usePrints(screen, record, query.get('print'));
  const edit: PageAction[] = mayEdit
    ? [{ label: 'Edit', icon: <EditRegular />, to: pageAddress(access, 'edit_screen', id) ?? '', besideMain: true }]
    : [];
  const offered = actionsFor(screen, access, record).map((action): [RecordAction, PageAction] => {
    const to = actionAddress(action, record);
    return [
      action,
      {
        label: action.title,
        icon: <MenuIcon name={action.icon} fallback="Play" />,
        ...(to === null
          ? { onClick: () => void callAction(screen, action, record).then((done) => done && reload()) }
          : { to }),
      },
    ];
  });
  // What this person is asked to do appears beside the transitions.
  const asked = offered.flatMap(([{ who }, action]) => (who ? [action] : []));
  // The next transition comes first, then documents to create from the record, then Edit. A transition that ends the
  // record never comes first.
  const [primary, ...besides] = [
    ...steps.filter(({ disabled, leadsOn }) => !disabled && leadsOn),
    ...asked,
    ...makeActions(screen, record, reload),
    ...edit,
  ];
  const secondary: PageAction[] = [
    ...steps.filter(({ disabled }) => disabled),
    ...besides,
    ...steps.filter(({ disabled, leadsOn }) => !disabled && !leadsOn),
    ...prints,
    ...(mayAdd ? [{ label: 'Copy', icon: <CopyRegular />, to: `${routes.add}?copy=${id}` }] : []),
  ];
  const more: PageAction[] = [
    ...offered.flatMap(([{ who }, action]) => (who ? [] : [action])),
    ...(screen.publicOf && rights.write && rights.edit_screen
      ? [{ label: 'Public link', icon: <QrCodeRegular />, onClick: () => setLinks(true) }]
      : []),
    ...(rights.write &&
    rights.remove &&
    routes.edit !== null &&
    (!record.active || mayLeave(screen, record, 'deactivate'))
      ? [
          record.active
            ? { label: 'Deactivate', icon: <EyeOffRegular />, onClick: () => void setActive(false) }
            : { label: 'Activate', icon: <ArrowCounterclockwiseRegular />, onClick: () => void setActive(true) },
        ]
      : []),
    ...(rights.remove && mayLeave(screen, record, 'delete')
      ? [{ label: 'Delete', icon: <DeleteRegular />, danger: true, onClick: () => void remove() }]
      : []),
  ];
  return (
    <Page
      title={name}
      layout="page"
      {...(beside.length > 0 && { number: beside.join(' · ') })}
      {...(status && { status })}
      {...(primary && { primary })}
      secondary={secondary}
      more={more}
    >
      <PageBody>
        <div className={styles.viewPage}>
          <div className={styles.viewMain}>
            {refused.map(({ title, message }) => (
              <MessageBar key={title} intent="warning">
                {`"${title}" is due and is refused: ${message}`}
              </MessageBar>
            ))}
            {screen.offline && (
              <Suspense fallback={null}>
                <RefusedHere key={record.version} screen={screen} id={id} />
              </Suspense>
            )}
            {screen.workflow && <StepBar screen={screen} record={record} />}
            {hasLevels(screen) && (
              <Suspense fallback={null}>
                <ApprovalLevels screen={screen} record={record} />
              </Suspense>
            )}
            {screen.panel && (
              <Suspense fallback={null}>
                {screen.panel.dashboard === undefined ? (
                  <RecordPanel screen={screen} record={record} />
                ) : (
                  <RecordTile screen={screen} record={record} />
                )}
              </Suspense>
            )}
            <RecordView screen={screen} record={record} />
            <Suspense fallback={null}>
              <RelatedRecords key={record.version} screen={screen} id={id} />
            </Suspense>
          </div>
          <aside className={styles.viewSide}>
            <Suspense fallback={<Skeleton rows={4} />}>
              <IssuedPrints screen={screen} id={id} issued={issued} />
              <Timeline key={record.version} screen={screen} id={id} />
            </Suspense>
          </aside>
        </div>
        {dialog}
        <Suspense fallback={null}>
          {links && <PublicLinkDialog type={screen.name} id={id} onClose={() => setLinks(false)} />}
          {usedBy && (
            <UsedByDialog
              name={name}
              usedBy={usedBy}
              deactivate={record.active && rights.write && rights.remove ? () => void setActive(false) : null}
              onClose={() => setUsedBy(null)}
            />
          )}
        </Suspense>
      </PageBody>
    </Page>
  );
}

/** Inactive takes precedence over the record's own status. */
function statusOf(screen: Screen, record: WireRecord) {
  if (record.active === false) return { label: 'Inactive', tone: 'neutral' as const };
  const field =
    stateField(screen) ??
    screen.fields.find((one) => one.type === 'enum' && one.options?.some(({ colour }) => colour !== undefined));
  const option = field?.options?.find(({ value }) => value === record[field.name]);
  return option?.colour ? { label: option.label, tone: option.colour } : null;
}

function useViewActions(screen: Screen, record: WireRecord, reload: () => void, landing: string) {
  const navigate = useNavigate();
  const [usedBy, setUsedBy] = useState<UsedBy[] | null>(null);
  const name = recordName(screen, record) || screen.title;
  const setActive = async (active: boolean): Promise<void> => {
    try {
      await api.post(`/tapi/${screen.name}/${record.id}/${active ? 'activate' : 'deactivate'}`, {
        version: record.version,
      });
      setUsedBy(null);
      toast.success(`${name} is ${active ? 'in use again' : 'inactive now'}.`);
      reload();
    } catch (thrown) {
      // The call has said why.
      if (!(thrown instanceof ApiError)) throw thrown;
    }
  };
  const remove = async (): Promise<void> => {
    const sure = await confirmDialog({
      title: `Delete ${name}?`,
      text: 'It is deleted and cannot be restored.',
      confirmLabel: 'Yes',
      danger: true,
    });
    if (!sure) return;
    try {
      await api.delete(`/tapi/${screen.name}/${record.id}`, { quiet: true });
      toast.success(`${name} is deleted.`);
      void navigate(landing, { replace: true });
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      if (thrown.code === 'in_use') setUsedBy((thrown.extra.used_by as UsedBy[] | undefined) ?? []);
      else toast.error(thrown.message);
    }
  };
  return { usedBy, setUsedBy, setActive, remove };
}
