import { SaveRegular } from '@fluentui/react-icons';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router-dom';
import type { WireRecord } from '../../../../descriptor/types.ts';
import { findingsOf } from '../../../../domain/questionnaire/publish_check.ts';
import { readQuestionnaire } from '../../../../domain/questionnaire/read_questionnaire.ts';
import { pageAddress } from '../../../api/screens.ts';
import { toast } from '../../../app/feedback.ts';
import { ErrorView, Page, PageBody, Skeleton, useUnsavedGuard } from '../../../app/page.tsx';
import { Notices } from '../../form/RecordForm.tsx';
import { useForm } from '../../form/use_form.ts';
import { useFormKeys } from '../../form/use_form_keys.ts';
import { useRecord } from '../../form/use_record.ts';
import type { LoadedRecord } from '../../form/use_record.ts';
import { recordName } from '../../form/values.ts';
import type { PageProps } from '../../page_props.ts';
import { isOpenToEdit, useSteps } from '../../workflow/use_steps.tsx';
import styles from './builder.module.css';
import type { Place } from './places.ts';
import { added, freeCode } from './places.ts';
import { Preview } from './Preview.tsx';
import { QuestionTree } from './QuestionTree.tsx';
import { RowEditor } from './RowEditor.tsx';

/** The page on which a questionnaire is built: its questions on the left, a preview beside them. */
export default function BuilderPage(props: PageProps) {
  const { screen, id } = props;
  const { loaded, error, retry } = useRecord(screen, { id });
  if (loaded && id !== undefined) return <Builder {...props} id={id} loaded={loaded} reload={retry} />;
  return (
    <Page title={screen.title}>
      <PageBody>{error ? <ErrorView error={error} retry={retry} home /> : <Skeleton rows={10} />}</PageBody>
    </Page>
  );
}

function Builder({
  screen,
  access,
  id,
  loaded,
  reload,
}: PageProps & { id: string; loaded: LoadedRecord; reload: () => void }) {
  const navigate = useNavigate();
  const own = screen.questionnaire!;
  const form = useForm({ screen, id, loaded, onSaved: () => toast.success('Questions saved.') });
  const { store, dirty } = form;
  const values = useSyncExternalStore(store.subscribe, store.values);
  // The saved record is returned without its available transitions: they are kept.
  const saved = store.base() as WireRecord;
  const record: WireRecord = { ...saved, _can: saved._can ?? loaded.base._can };
  const release = useUnsavedGuard(dirty, form.abandon);
  const back = pageAddress(access, 'view_screen', id) ?? pageAddress(access, 'landing') ?? '/';
  const leave = () => void navigate(back);
  useFormKeys({ save: form.save, leave });
  const fixed = !isOpenToEdit(screen, record) || !isQuestionsOpen(screen, record);
  const { steps, dialog } = useSteps(screen, record, () => {
    release();
    reload();
  });
  const [place, setPlace] = useState<Place | null>(() => firstPlace(loaded, own));
  const [side, setSide] = useState<'questions' | 'preview'>('questions');
  const content = useMemo(() => readQuestionnaire(values, own, own.score), [values, own]);
  const findings = useMemo(() => findingsOf(content), [content]);
  const names = useMemo(() => ({ sections: own.sections, questions: own.questions }), [own]);
  const change = ([patch, next]: [Parameters<typeof store.set>[0], Place | null]) => {
    store.set(patch);
    setPlace(next);
  };
  const begin = () =>
    change(
      added(
        values,
        names,
        { section: -1 },
        { code: freeCode(values, names, 's'), title: 'Section 1', [own.questions]: [] },
      ),
    );
  const status = screen.workflow?.states.find(({ name }) => name === record[screen.workflow!.field]);
  return (
    <Page
      title={recordName(screen, record) || screen.title}
      {...(status && { status: { label: status.title, tone: status.colour } })}
      {...(!fixed && {
        primary: {
          label: form.saving ? 'Saving' : 'Save questions',
          icon: <SaveRegular />,
          busy: form.saving,
          shortcut: 'Ctrl+S',
          onClick: form.save,
        },
      })}
      secondary={[
        ...steps.map((step) => (dirty ? { ...step, disabled: true, reason: 'Save the questions first.' } : step)),
        ...(dirty ? [{ label: 'Discard', onClick: form.discard }] : []),
        { label: 'Close', onClick: leave },
      ]}
    >
      <PageBody>
        <Notices form={form} />
        <div className={styles.sides} role="group" aria-label="Part of the page">
          {(['questions', 'preview'] as const).map((one) => (
            <button key={one} type="button" aria-pressed={side === one} onClick={() => setSide(one)}>
              {one === 'questions' ? 'Questions' : 'Preview'}
            </button>
          ))}
        </div>
        <div className={styles.builder} data-side={side}>
          <div className={styles.questions}>
            {content.sections.length === 0 ? (
              <div className={styles.nothing}>
                <p>No questions yet. Questions belong to sections, which are asked one after the other.</p>
                {!fixed && (
                  <button type="button" className={styles.button} onClick={begin}>
                    Add the first section
                  </button>
                )}
              </div>
            ) : (
              <QuestionTree
                values={values}
                names={names}
                findings={findings}
                place={place}
                fixed={fixed}
                onPlace={setPlace}
                onChange={change}
              />
            )}
            {place !== null && (
              <RowEditor
                key={`${form.generation} ${place.section} ${place.question ?? ''}`}
                form={form}
                names={names}
                place={place}
                fixed={fixed}
              />
            )}
          </div>
          <Preview
            content={content}
            findings={findings}
            focus={
              place?.question === undefined
                ? undefined
                : content.sections[place.section]?.questions[place.question]?.code
            }
            onPlace={(next) => {
              setPlace(next);
              setSide('questions');
            }}
          />
        </div>
        {dialog}
      </PageBody>
    </Page>
  );
}

/** Whether the state of the record leaves its questions editable. */
function isQuestionsOpen(screen: PageProps['screen'], record: WireRecord): boolean {
  const { workflow, questionnaire } = screen;
  const edit = workflow?.states.find(({ name }) => name === record[workflow.field])?.edit ?? true;
  return typeof edit === 'boolean'
    ? edit
    : Object.values(edit).some((names) => names.includes(questionnaire!.sections));
}

function firstPlace({ base }: LoadedRecord, own: { sections: string; questions: string }): Place | null {
  const [first] = (base[own.sections] as Record<string, unknown>[] | undefined) ?? [];
  if (!first) return null;
  return { section: 0, ...((first[own.questions] as unknown[] | undefined)?.length ? { question: 0 } : {}) };
}
