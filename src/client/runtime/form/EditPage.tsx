import { ArrowRightRegular, SaveRegular } from '@fluentui/react-icons';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router-dom';
import type { WireRecord } from '../../../descriptor/types.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import { pageAddress } from '../../api/screens.ts';
import { toast } from '../../app/feedback.ts';
import { ErrorView, Page, PageBody, Skeleton, useUnsavedGuard } from '../../app/page.tsx';
import { commitDrafts } from '../fields/widget.ts';
import type { PageProps } from '../page_props.ts';
import { FormBody, Notices, saveLabel } from './RecordForm.tsx';
import { useFormActions } from './use_form_actions.tsx';
import { useForm } from './use_form.ts';
import { useFirstFocus } from './use_first_focus.ts';
import { useFormKeys } from './use_form_keys.ts';
import type { LoadedRecord } from './use_record.ts';
import { usePreset } from './use_preset.ts';
import { useRecord } from './use_record.ts';
import type { Values } from './values.ts';
import { presetFrom, recordHeading, recordName } from './values.ts';

/** A page for adding or changing a record; copying another record is a different page. */
export default function EditPage(props: PageProps) {
  return <Opened key={props.query.get('copy') ?? props.query.get('from') ?? ''} {...props} />;
}

function Opened(props: PageProps) {
  const { screen, id, page, query } = props;
  const adding = page === 'add_screen';
  const preset = useMemo(() => presetFrom(screen, query), [screen, query]);
  const copyOf = adding ? (query.get('copy') ?? undefined) : undefined;
  const source = adding ? query.get('from') : null;
  const from = source === null ? undefined : { source, make: query.get('make') ?? '' };
  const { loaded, error, retry } = useRecord(screen, adding ? { preset, copyOf, from } : { id });
  const title = adding ? `Add ${inSentence(screen.title)}` : `Edit ${inSentence(screen.title)}`;
  // Somebody saved before the form was there: it is saved as soon as everything has arrived.
  const [saveWanted, setSaveWanted] = useState(false);
  const wantSave = useCallback(() => setSaveWanted(true), []);
  const given = { ...props, heading: title, saveWanted };
  if (loaded) return <LoadedPage {...given} loaded={loaded} preset={adding ? preset : null} />;
  if (!error) return <LoadingPage {...given} onSave={wantSave} />;
  const again = () => {
    setSaveWanted(false);
    retry();
  };
  return (
    <Page title={title} layout="form">
      <PageBody>
        <ErrorView error={error} retry={again} home />
      </PageBody>
    </Page>
  );
}

interface OpenedProps extends PageProps {
  heading: string;
  saveWanted: boolean;
}

/** The page until its record has arrived: Save waits for it, Esc leaves. */
function LoadingPage({ screen, access, id, page, heading, saveWanted, onSave }: OpenedProps & { onSave: () => void }) {
  const navigate = useNavigate();
  const leave = () => void navigate(addressBefore(access, page, id));
  useFormKeys({ save: onSave, leave });
  const steps = screen.form.steps === true && page === 'add_screen';
  return (
    <Page
      title={heading}
      layout="form"
      primary={{
        label: steps ? 'Next' : saveWanted ? 'Saving' : `Save ${inSentence(screen.title)}`,
        icon: steps ? <ArrowRightRegular /> : <SaveRegular />,
        busy: saveWanted,
        shortcut: 'Ctrl+S',
        onClick: onSave,
      }}
      secondary={[{ label: 'Cancel', onClick: leave }]}
    >
      <PageBody>
        <Skeleton rows={10} />
      </PageBody>
    </Page>
  );
}

/** Where one goes without saving: the record, else its list. */
function addressBefore(access: PageProps['access'], page: PageProps['page'], id: string | undefined): string {
  const record = page === 'add_screen' || id === undefined ? null : pageAddress(access, 'view_screen', id);
  return record ?? pageAddress(access, 'landing') ?? '/';
}

function LoadedPage({
  screen,
  access,
  id,
  page,
  loaded,
  preset,
  heading,
  saveWanted,
}: OpenedProps & { loaded: LoadedRecord; preset: Values | null }) {
  const navigate = useNavigate();
  const adding = page === 'add_screen';
  const landing = pageAddress(access, 'landing');
  const addressOf = (record: string | number) =>
    pageAddress(access, 'view_screen', record) ?? pageAddress(access, 'edit_screen', record);
  const back = addressBefore(access, page, id);

  const leaving = useRef(() => {});
  const saved = (record: WireRecord) => {
    release();
    const name = recordName(screen, record);
    const text = `${screen.title}${name === '' ? '' : ` ${name}`} saved.`;
    if (adding && access.rights.add_screen)
      toast.success(text, { action: { label: 'Add another', onClick: () => void navigate(access.routes.add ?? '/') } });
    else if (back === landing)
      toast.success(text, { action: { label: 'View', onClick: () => void navigate(addressOf(record.id) ?? landing) } });
    else toast.success(text);
    void navigate(adding ? (pageAddress(access, 'view_screen', record.id) ?? landing ?? '/') : back, { replace: true });
  };
  const kept = useCallback(() => {
    leaving.current();
    void navigate(landing ?? '/', { replace: true });
  }, [navigate, landing]);
  const form = useForm({ screen, id: adding ? undefined : id, loaded, onSaved: saved, onKept: kept });
  usePreset(form, preset);
  const release = useUnsavedGuard(form.dirty, form.abandon);
  leaving.current = release;
  // The guard asks if something would be lost, including the last typed text.
  const leave = () => {
    flushSync(() => commitDrafts(form.host));
    void navigate(back);
  };
  useFormKeys({ save: form.save, leave });
  useFirstFocus(form);
  const saveNow = useEffectEvent(form.save);
  useEffect(() => {
    if (saveWanted) saveNow();
  }, [saveWanted]);
  const actions = useFormActions(form);

  const name = adding ? '' : recordHeading(screen, loaded.base);
  return (
    <Page
      title={name === '' ? heading : name}
      layout="form"
      {...(!adding && loaded.base.active === false && { status: { label: 'Inactive', tone: 'neutral' as const } })}
      primary={{
        label: saveLabel(form, screen),
        icon: form.layout.tab < form.layout.steps ? <ArrowRightRegular /> : <SaveRegular />,
        busy: form.saving,
        shortcut: 'Ctrl+S',
        onClick: form.save,
      }}
      secondary={[
        ...actions,
        ...(form.dirty ? [{ label: 'Discard', onClick: form.discard }] : []),
        { label: 'Cancel', onClick: leave },
      ]}
    >
      <PageBody>
        <Notices form={form} />
        <FormBody form={form} />
      </PageBody>
    </Page>
  );
}
