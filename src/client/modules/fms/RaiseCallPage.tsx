import {
  Button,
  Dropdown,
  Field,
  Input,
  MessageBar,
  MessageBarBody,
  Option,
  Textarea,
} from '@fluentui/react-components';
import { CallRegular, SearchRegular, WarningRegular } from '@fluentui/react-icons';
import { useEffect, useId, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import useSWR from 'swr';
import { formatMoney } from '../../../descriptor/format.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { BoardTicket, CallChoices, FoundLift } from '../../../domain/fms/call_board.ts';
import { ApiError, api } from '../../api/http.ts';
import { confirmDialog, toast } from '../../app/feedback.ts';
import { EmptyState, Page, PageBody } from '../../app/page.tsx';
import styles from './raise_call.module.css';

interface Covered {
  cover: string | null;
  cover_because: string | null;
  priority: string | null;
}

const COVERS: Record<string, string> = {
  covered: 'Covered by the contract',
  warranty: 'In warranty',
  chargeable: 'Chargeable',
  none: 'No contract: chargeable',
};
const STATES: Record<string, string> = {
  new: 'not assigned',
  assigned: 'asked',
  accepted: 'accepted',
  travelling: 'on the way',
  attending: 'on site',
  paused: 'paused',
};

const NO_CHOICES: CallChoices = { definitions: [], categories: [], subcategories: [] };

/** Takes a call at the desk: trapped people first, then the lift, its cover, and the fault. */
export default function RaiseCallPage() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const scanned = query.get('lift') ?? query.get('lift_id');
  const [trapped, setTrapped] = useState<boolean | null>(null);
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  const [lift, setLift] = useState<FoundLift | null>(null);
  const [values, setValues] = useState({
    caller: '',
    phone: '',
    count: '',
    description: '',
    category: 0,
    subcategory: 0,
  });
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const hint = useId();
  const set = (part: Partial<typeof values>) => setValues((old) => ({ ...old, ...part }));

  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), 250);
    return () => clearTimeout(timer);
  }, [text]);
  const search = scanned !== null && text === '' ? { lift: scanned } : asked.length >= 2 ? { q: asked } : null;
  const { data: found, error } = useSWR(
    search && ['/tapi/fms/find_lift', JSON.stringify(search)],
    async ([path]) => (await api.get<{ data: FoundLift[] }>(path, search!, { quiet: true })).data,
  );
  const only = found?.length === 1 && scanned !== null && text === '' ? found[0]! : null;
  const chosen = lift ?? only;

  const { data: choices = NO_CHOICES } = useSWR(
    '/tapi/fms/call_choices',
    async (path) => (await api.get<{ data: CallChoices }>(path, undefined, { quiet: true })).data,
  );
  const rescue = choices.definitions.find(({ type }) => type === 'rescue');
  const usual = choices.definitions.filter(({ type }) => !['rescue', 'preventive', 'inspection'].includes(type));
  const offered = choices.categories.filter(({ definitions: of }) =>
    trapped ? rescue !== undefined && of.includes(rescue.id) : usual.some(({ id }) => of.includes(id)),
  );
  const category = offered.find(({ id }) => id === values.category) ?? (trapped ? offered[0] : undefined);
  const inside = choices.subcategories.filter((one) => one.category === category?.id);
  const subcategory = inside.find(({ id }) => id === values.subcategory);
  const fitting = usual.filter(({ id }) => category?.definitions.includes(id));
  const definition = trapped ? rescue : (fitting.find(({ type }) => type === 'breakdown') ?? fitting[0]);

  const { data: covered } = useSWR(
    chosen && ['/tapi/fms_ticket/fill', chosen.id, category?.id ?? 0, trapped],
    async () =>
      (
        await api.post<{ data: Covered }>(
          '/tapi/fms_ticket/fill',
          {
            values: {
              lift_id: chosen!.id,
              category_id: category?.id ?? null,
              trapped: trapped === true,
              reported_at: new Date().toISOString(),
            },
          },
          { quiet: true },
        )
      ).data,
  );

  const raise = async () => {
    const missing: Record<string, string> = {
      ...(trapped === null && { trapped: 'Ask this first.' }),
      ...(!chosen && { lift: 'Choose the lift.' }),
      ...(!category && { category: 'Choose what it is.' }),
      ...(values.description.trim() === '' && { description: 'Write what the caller says.' }),
    };
    setWrong(missing);
    if (Object.keys(missing).length > 0 || !chosen || !category) return;
    const [open] = chosen.open;
    if (
      open &&
      !trapped &&
      !(await confirmDialog({
        title: 'Raise a second call for this lift?',
        text: `${String(open.ticket_no)} is open (${openWords(open)}). Add to it instead, or continue with a new call.`,
        confirmLabel: 'New call',
      }))
    )
      return;
    setBusy(true);
    try {
      const { data } = await api.post<{ data: WireRecord }>(
        '/tapi/fms_ticket',
        {
          ticket_definition_id: definition?.id ?? null,
          source: 'phone',
          trapped: trapped === true,
          ...(trapped && values.count !== '' && { trapped_count: Number(values.count) }),
          lift_id: chosen.id,
          category_id: category.id,
          subcategory_id: subcategory?.id ?? null,
          caller_name: values.caller || null,
          caller_phone: values.phone || null,
          description: values.description,
        },
        { quiet: true },
      );
      toast.success(`${String(data.ticket_no)} is raised.`);
      void navigate(`/fms/edit_ticket/${data.id}`);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      const names: Record<string, string> = {
        caller_phone: 'phone',
        caller_name: 'caller',
        trapped_count: 'count',
        description: 'description',
        category_id: 'category',
        lift_id: 'lift',
      };
      const at = Object.fromEntries(
        thrown.details.flatMap(({ field, message }) => (field && names[field] ? [[names[field], message]] : [])),
      );
      setWrong(at);
      if (Object.keys(at).length === 0) toast.error(thrown.details[0]?.message ?? thrown.message);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Page
      title="Raise a call"
      layout="form"
      primary={{ label: 'Raise call', icon: <CallRegular />, busy, onClick: () => void raise() }}
    >
      <PageBody>
        <div className={styles.raise}>
          <fieldset className={styles.first} data-alarm={trapped ? '' : undefined}>
            <legend>Are people inside the lift?</legend>
            <div className={styles.answers}>
              <Button
                appearance={trapped === true ? 'primary' : 'secondary'}
                aria-pressed={trapped === true}
                icon={<WarningRegular />}
                onClick={() => setTrapped(true)}
              >
                Yes, people are inside
              </Button>
              <Button
                appearance={trapped === false ? 'primary' : 'secondary'}
                aria-pressed={trapped === false}
                onClick={() => setTrapped(false)}
              >
                No
              </Button>
            </div>
            {wrong.trapped && trapped === null && <p className={styles.wrong}>{wrong.trapped}</p>}
            {trapped && (
              <>
                <Field label="How many" {...(wrong.count && { validationMessage: wrong.count })}>
                  <Input
                    type="number"
                    min={1}
                    max={60}
                    value={values.count}
                    onChange={(_, { value }) => set({ count: value })}
                  />
                </Field>
                <p>
                  Tell them: the lift cannot fall, there is air, help is on the way, nobody may try to climb out. Fire
                  and rescue service 101, emergency 112.
                </p>
              </>
            )}
          </fieldset>

          {chosen ? (
            <LiftFacts
              lift={chosen}
              covered={covered ?? null}
              onOther={() => {
                setLift(null);
                setText(chosen.building);
              }}
            />
          ) : (
            <section aria-label="Search">
              <Field
                label="Which lift"
                hint="Phone of the caller, lift number, building or customer"
                {...(wrong.lift && { validationMessage: wrong.lift })}
              >
                <Input
                  autoFocus
                  type="search"
                  contentBefore={<SearchRegular />}
                  value={text}
                  aria-describedby={hint}
                  onChange={(_, { value }) => setText(value)}
                />
              </Field>
              <div id={hint} aria-live="polite">
                {error ? (
                  <MessageBar intent="error">
                    {error instanceof Error ? error.message : 'The lifts could not be looked up.'}
                  </MessageBar>
                ) : found && found.length === 0 ? (
                  <EmptyState
                    title="No lift matches"
                    text="Try the number on the label in the car, or the name of the building."
                  />
                ) : (
                  <ul className={styles.found}>
                    {(found ?? []).map((one) => (
                      <li key={one.id}>
                        <button type="button" onClick={() => setLift(one)}>
                          <strong>
                            {one.liftNo}
                            {one.position ? ` · ${one.position}` : ''}
                          </strong>
                          <span>
                            {one.building}, {one.address} · {one.customer}
                          </span>
                          {one.open.length > 0 && <span className={styles.warn}>{one.open.length} open</span>}
                        </button>
                      </li>
                    ))}
                  </ul>
                )}
              </div>
            </section>
          )}

          <section className={styles.call} aria-label="The call">
            <Field label="What it is" {...(wrong.category && { validationMessage: wrong.category })}>
              <Dropdown
                placeholder="Choose"
                value={category?.name ?? ''}
                selectedOptions={category ? [String(category.id)] : []}
                onOptionSelect={(_, { optionValue }) => set({ category: Number(optionValue), subcategory: 0 })}
              >
                {offered.map(({ id, name }) => (
                  <Option key={id} value={String(id)}>
                    {name}
                  </Option>
                ))}
              </Dropdown>
            </Field>
            <Field label="More exactly">
              <Dropdown
                placeholder={inside.length === 0 ? 'Nothing more to choose' : 'Choose'}
                disabled={inside.length === 0}
                value={subcategory?.name ?? ''}
                selectedOptions={subcategory ? [String(subcategory.id)] : []}
                onOptionSelect={(_, { optionValue }) => set({ subcategory: Number(optionValue) })}
              >
                {inside.map(({ id, name }) => (
                  <Option key={id} value={String(id)}>
                    {name}
                  </Option>
                ))}
              </Dropdown>
            </Field>
            {subcategory?.advice && (
              <MessageBar intent="info" className={styles.wide}>
                Say to the caller: {subcategory.advice}
              </MessageBar>
            )}
            <Field label="Caller" {...(wrong.caller && { validationMessage: wrong.caller })}>
              <Input value={values.caller} onChange={(_, { value }) => set({ caller: value })} />
            </Field>
            <Field label="Phone of the caller" {...(wrong.phone && { validationMessage: wrong.phone })}>
              <Input type="tel" value={values.phone} onChange={(_, { value }) => set({ phone: value })} />
            </Field>
            <Field
              className={styles.wide}
              label="What the caller says"
              required
              {...(wrong.description && { validationMessage: wrong.description })}
            >
              <Textarea rows={3} value={values.description} onChange={(_, { value }) => set({ description: value })} />
            </Field>
          </section>
        </div>
      </PageBody>
    </Page>
  );
}

const openWords = (open: BoardTicket): string =>
  [open.technician_id__label, STATES[String(open.status)]].filter(Boolean).join(', ');

/** A lift's facts for the desk: cover, dues, open tickets, contacts on site. */
function LiftFacts({ lift, covered, onOther }: { lift: FoundLift; covered: Covered | null; onOther: () => void }) {
  return (
    <section className={styles.facts} aria-label="The lift">
      <div className={styles.line}>
        <h2>
          {lift.liftNo}
          {lift.position ? ` · ${lift.position}` : ''}, {lift.building}
        </h2>
        <Button size="small" onClick={onOther}>
          Another lift
        </Button>
      </div>
      <p>
        {lift.address} · {lift.customer}
      </p>
      <dl>
        <div>
          <dt>Cover</dt>
          <dd data-tone={covered?.cover === 'covered' || covered?.cover === 'warranty' ? 'good' : 'warn'}>
            {covered?.cover ? COVERS[covered.cover] : '…'}
          </dd>
          {covered?.cover_because && <dd>{covered.cover_because}</dd>}
        </div>
        {covered?.priority && (
          <div>
            <dt>Priority</dt>
            <dd>{covered.priority.toUpperCase()}</dd>
          </div>
        )}
        {lift.dues !== null && Number(lift.dues) > 0 && (
          <div>
            <dt>Dues</dt>
            <dd data-tone="warn">{formatMoney(lift.dues)}</dd>
          </div>
        )}
        {(lift.contacts ?? lift.keyHolder) && (
          <div>
            <dt>On site</dt>
            <dd>{lift.contacts ?? `${lift.keyHolder} ${lift.keyPhone ?? ''}`}</dd>
          </div>
        )}
        <div>
          <dt>Rescue device</dt>
          <dd>
            {lift.rescueDevice ? 'Yes' : 'No'}
            {lift.intercom ? ', intercom in the car' : ''}
          </dd>
        </div>
      </dl>
      {lift.blocked && (
        <MessageBar intent="warning">
          The customer is blocked{lift.holdReason ? `: ${lift.holdReason}` : ''}. The call is taken all the same and is
          chargeable.
        </MessageBar>
      )}
      {lift.open.map((open) => (
        <MessageBar key={open.id} intent="warning">
          <MessageBarBody>
            <Link to={`/fms/edit_ticket/${open.id}`}>{String(open.ticket_no)}</Link> is open ({openWords(open)}). Add to
            it, or go on with a new call.
          </MessageBarBody>
        </MessageBar>
      ))}
    </section>
  );
}
