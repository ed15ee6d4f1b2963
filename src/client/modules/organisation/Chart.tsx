import {
  Button,
  Input,
  Menu,
  MenuItemCheckbox,
  MenuList,
  MenuPopover,
  MenuTrigger,
  Select,
} from '@fluentui/react-components';
import {
  AddRegular,
  ArrowDownloadRegular,
  ArrowMaximizeVerticalRegular,
  ArrowMinimizeVerticalRegular,
  ClipboardPasteRegular,
  ContactCardRegular,
  CutRegular,
  DocumentPdfRegular,
  DocumentTextRegular,
  OrganizationRegular,
  PersonAddRegular,
  PersonRegular,
  PersonSwapRegular,
  SearchRegular,
  SubtractRegular,
  ZoomFitRegular,
} from '@fluentui/react-icons';
import { Suspense, lazy, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { formatDate } from '../../../descriptor/format.ts';
import { today } from '../../../descriptor/place.ts';
import type { Direction } from '../../../domain/organisation/chart_layout.ts';
import { layOutChart } from '../../../domain/organisation/chart_layout.ts';
import type { ChartPerson, ChartTree } from '../../../domain/organisation/chart_tree.ts';
import type { PlannedMoves } from '../../../domain/organisation/reorganisation.ts';
import { planProblems, treeWithMoves, withMove } from '../../../domain/organisation/reorganisation.ts';
import type { ApiError } from '../../api/http.ts';
import { api } from '../../api/http.ts';
import { useScreenRef } from '../../api/screens.ts';
import { alertDialog, confirmDialog, toast } from '../../app/feedback.ts';
import { EmptyState, Page, PageBody } from '../../app/page.tsx';
import { usePhone, useSession } from '../../app/session.ts';
import { useUnsavedGuard } from '../../app/unsaved_guard.ts';
import type { CardField } from './card_fields.ts';
import { CARD_FIELDS, chosenFields, keepFields } from './card_fields.ts';
import type { ChartHandle } from './ChartCanvas.tsx';
import { ChartCanvas } from './ChartCanvas.tsx';
import { chartSvg, download } from './chart_svg.ts';
import type { LayerName } from './chart_layers.ts';
import { LAYERS } from './chart_layers.ts';
import type { Move } from './move_call.ts';
import { linkedBack, postMove } from './move_call.ts';
import type { OpenPlan } from './open_plan.ts';
import { newPlan, stepPlan } from './open_plan.ts';
import { choiceInChart } from './move_choice.ts';
import { PeopleTree } from './PeopleTree.tsx';
import { PlanPanel } from './PlanPanel.tsx';
import { UnplacedTray } from './UnplacedTray.tsx';
import styles from './org_chart.module.css';

const ChangeManagerDialog = lazy(() => import('./ChangeManagerDialog.tsx'));
const PlanDialog = lazy(() => import('./PlanDialog.tsx'));

const NO_MOVES: PlannedMoves = new Map();
const focusTree = () => requestAnimationFrame(() => document.querySelector<HTMLElement>('main [role="tree"]')?.focus());

/** Small companies are expanded two levels deep. */
const FEW = 200;

/** The initially expanded people: the reader's managers and direct reportees, otherwise the top. */
function openAtFirst(tree: ChartTree, me: number | null): Set<number> {
  if (me !== null && tree.people.has(me)) return new Set([me, ...tree.above(me)]);
  const deep = tree.people.size <= FEW ? 2 : 1;
  return new Set([...tree.people.keys()].filter((id) => tree.level(id) < deep));
}

/** A person of the reader's own list, as the print takes it. */
const listed = ({ id, parent, name, empno, designation }: ChartPerson) => ({ id, parent, name, empno, designation });

interface ChartProps {
  /** The chart as it is stored. */
  now: ChartTree;
  /** The plan to open. */
  given?: OpenPlan | null;
  me: number | null;
  seesScores: boolean;
  opensPeople: boolean;
  mayMove: boolean;
  /** The reader's own list, not the people of the company. */
  isSample?: boolean;
  onChanged: () => Promise<unknown>;
  above?: React.ReactNode;
}

/** The chart with its tools, and the plan that is open on it. */
export function Chart({
  now,
  given = null,
  me,
  seesScores,
  opensPeople,
  mayMove: mayMoveNow,
  isSample = false,
  onChanged,
  above,
}: ChartProps) {
  const phone = usePhone();
  const navigate = useNavigate();
  const vacancies = useScreenRef('org_vacancy');
  const history = useScreenRef('employee_history');
  const plans = useScreenRef('org_plan');
  const handle = useRef<ChartHandle | null>(null);
  const [plan, setPlan] = useState<OpenPlan | null>(given);
  const [kept, setKept] = useState<PlannedMoves | null>(given?.moves ?? null);
  const [isFinishing, setFinishing] = useState(false);
  const [cut, setCut] = useState<number | null>(null);
  const moves = plan?.moves ?? NO_MOVES;
  const tree = useMemo(() => treeWithMoves(now, moves), [now, moves]);
  const moved = useMemo(() => new Set(moves.keys()), [moves]);
  const isOpenPlan = plan === null || plan.status === 'draft';
  const mayMove = mayMoveNow && isOpenPlan;
  const [opened, setOpened] = useState(() =>
    given
      ? new Set([...openAtFirst(tree, me), ...moved, ...[...moved].flatMap((id) => tree.above(id))])
      : openAtFirst(tree, me),
  );
  const [selected, setSelected] = useState<number | null>(me !== null && tree.people.has(me) ? me : null);
  const [lit, setLit] = useState<ReadonlySet<number>>(new Set());
  const [text, setText] = useState('');
  const [direction, setDirection] = useState<Direction>('down');
  const { userId } = useSession();
  const [fields, setFields] = useState(() => chosenFields(userId));
  const [layerName, setLayer] = useState<LayerName>('none');
  const [moving, setMoving] = useState<{ id: number; manager?: number | null } | null>(null);
  const layer = LAYERS.find(({ name }) => name === layerName)!;
  const layout = useMemo(() => layOutChart(tree, opened, direction), [tree, opened, direction]);
  const found = useMemo(() => tree.search(text, 12), [tree, text]);
  const person = selected === null ? undefined : tree.people.get(selected);

  const select = (id: number | null) => {
    setSelected(id);
    if (id === null) setLit(new Set());
  };
  /** Expands and highlights the path to a person, and centres the card. */
  const find = (id: number) => {
    const path = tree.above(id);
    setOpened(new Set([...opened, ...path]));
    setLit(new Set([id, ...path]));
    setSelected(id);
    setText('');
    requestAnimationFrame(() => requestAnimationFrame(() => handle.current?.show(id)));
  };
  const toggle = (id: number) => {
    const next = new Set(opened);
    if (!next.delete(id)) next.add(id);
    setOpened(next);
  };
  const move = async (wanted: Move) => {
    const { id, manager, from, reason } = wanted;
    setMoving(null);
    if (plan) {
      setPlan({ ...plan, moves: withMove(now, plan.moves, id, manager) });
      if (manager !== null) setOpened(new Set([...opened, manager]));
      focusTree();
      return;
    }
    const { name, version, parent } = tree.people.get(id)!;
    const to = manager === null ? 'is at the top' : `reports to ${tree.people.get(manager)!.name}`;
    try {
      await postMove(wanted, version);
      const isLater = from > today();
      await onChanged();
      if (manager !== null) setOpened(new Set([...opened, manager]));
      toast.success(`${name} ${to} ${isLater ? `from ${formatDate(from)}` : 'now'}.`, {
        action: isLater
          ? { label: 'Planned changes', onClick: () => history && void navigate(history.routes.landing) }
          : {
              label: 'Undo',
              onClick: () =>
                void postMove(
                  { ...wanted, relinks: linkedBack(wanted), manager: parent, reason: `Taken back: ${reason}` },
                  version + 1,
                )
                  .then(onChanged)
                  .catch((thrown: unknown) => toast.error((thrown as ApiError).message)),
            },
      });
      focusTree();
    } catch (thrown) {
      await onChanged();
      void alertDialog({ type: 'error', text: (thrown as ApiError).message });
    }
  };
  /** Moves somebody at once in a plan; otherwise asks for the day and the reason. */
  const ask = (id: number, manager: number) => {
    setCut(null);
    const refusal = tree.refusal(id, manager);
    if (refusal !== null) void alertDialog({ type: 'error', text: refusal });
    else if (plan) void move({ id, manager, from: '', reason: '', movesOpen: false });
    else setMoving({ id, manager });
  };
  const isChanged = plan !== null && plan.moves !== kept && (kept !== null || plan.moves.size > 0);
  useUnsavedGuard(isChanged);
  const leavePlan = async () => {
    if (
      isChanged &&
      !(await confirmDialog({
        title: 'Leave the plan?',
        text: 'Its last moves are not saved.',
        confirmLabel: 'Leave',
        danger: true,
      }))
    )
      return;
    setPlan(null);
  };
  const removeMove = (id: number) => {
    const next = withMove(now, moves, id, now.people.get(id)?.parent ?? null);
    const [problem] = planProblems(now.people, next).values();
    if (problem === undefined) setPlan({ ...plan!, moves: next });
    else void alertDialog({ type: 'error', text: `Without this move, ${problem}` });
  };
  const finished = async (done: OpenPlan, what: 'saved' | 'applied' | 'planned') => {
    setFinishing(false);
    const people = moves.size === 1 ? 'One person has a new manager' : `${moves.size} people have new managers`;
    if (what === 'saved') {
      setPlan(done);
      setKept(done.moves);
      toast.success(`The plan “${done.name}” is saved.`);
      return;
    }
    await onChanged();
    setPlan(null);
    if (what === 'applied') toast.success(`${people} now.`);
    else
      toast.success(`${people} from ${formatDate(done.from)}.`, {
        action: {
          label: 'Take back',
          onClick: () =>
            void stepPlan(done, 'take_back').then(
              (back) => {
                setPlan(back);
                setKept(back.moves);
              },
              (thrown: unknown) => toast.error((thrown as ApiError).message),
            ),
        },
      });
  };
  const title = `Organisation chart, ${formatDate(today())}`;
  const drawing = { tree, layout, direction, open: opened, layer, fields, selected, lit, moved, cut };
  const people = [...tree.people.values()].filter(({ wanted }) => wanted === 0).length;
  const posts = [...tree.people.values()].reduce((sum, { wanted }) => sum + wanted, 0);
  const average = tree.averageSpan();

  return (
    <Page
      title="Organisation chart"
      layout={phone ? 'page' : 'fill'}
      more={[
        {
          label: 'Open all',
          icon: <ArrowMaximizeVerticalRegular />,
          onClick: () => {
            setOpened(new Set(tree.people.keys()));
            requestAnimationFrame(() => requestAnimationFrame(() => handle.current?.fit()));
          },
        },
        {
          label: 'Close all',
          icon: <ArrowMinimizeVerticalRegular />,
          onClick: () => {
            setOpened(new Set());
            requestAnimationFrame(() => requestAnimationFrame(() => handle.current?.fit()));
          },
        },
        {
          label: 'Download as SVG',
          icon: <ArrowDownloadRegular />,
          onClick: () =>
            download('organisation_chart.svg', chartSvg({ tree, layout, direction, title, fields }), 'image/svg+xml'),
        },
        {
          label: 'Download as PDF',
          icon: <DocumentPdfRegular />,
          onClick: () =>
            void api.downloadMade('/tapi/organisation_chart/print', {
              open: [...opened],
              direction,
              ...(isSample ? { people: [...now.people.values()].map(listed) } : { moves: [...moves] }),
            }),
        },
        ...(mayMoveNow && plan === null
          ? [
              {
                label: 'Plan a reorganisation',
                icon: <OrganizationRegular />,
                onClick: () => {
                  setPlan(newPlan());
                  setKept(null);
                },
              },
            ]
          : []),
        ...(plans?.rights.landing
          ? [{ label: 'Saved plans', icon: <DocumentTextRegular />, to: plans.routes.landing }]
          : []),
        ...(vacancies?.rights.landing
          ? [{ label: 'Vacancies', icon: <PersonAddRegular />, to: vacancies.routes.landing }]
          : []),
      ]}
    >
      <PageBody>
        {above}
        <div className={styles.tools}>
          <div className={styles.search}>
            <Input
              type="search"
              contentBefore={<SearchRegular />}
              placeholder="Name, number or designation"
              aria-label="Search people"
              value={text}
              onChange={(_, { value }) => setText(value)}
              onKeyDown={({ key }) => {
                if (key === 'Enter' && found[0]) find(found[0].id);
                if (key === 'Escape') setText('');
              }}
            />
            {text.trim() !== '' && (
              <ul className={styles.found}>
                {found.map((one) => (
                  <li key={one.id}>
                    <button type="button" onClick={() => find(one.id)}>
                      {one.name}{' '}
                      <span className={styles.faint}>{[one.empno, one.designation].filter(Boolean).join(' · ')}</span>
                    </button>
                  </li>
                ))}
                {found.length === 0 && <li className={styles.faint}>Nobody fits “{text.trim()}”.</li>}
              </ul>
            )}
          </div>
          <Select aria-label="Layer" value={layerName} onChange={(_, { value }) => setLayer(value as LayerName)}>
            {LAYERS.filter(({ name }) => seesScores || (name !== 'score' && name !== 'band')).map((one) => (
              <option key={one.name} value={one.name}>
                {one.title}
              </option>
            ))}
          </Select>
          <Menu
            checkedValues={{ fields: [...fields] }}
            onCheckedValueChange={(_, { checkedItems }) => {
              setFields(checkedItems as CardField[]);
              keepFields(userId, checkedItems as CardField[]);
            }}
          >
            <MenuTrigger disableButtonEnhancement>
              <Button icon={<ContactCardRegular />}>Card fields</Button>
            </MenuTrigger>
            <MenuPopover>
              <MenuList>
                {CARD_FIELDS.filter(({ name }) => seesScores || (name !== 'score' && name !== 'band')).map((one) => (
                  <MenuItemCheckbox key={one.name} name="fields" value={one.name}>
                    {one.title}
                  </MenuItemCheckbox>
                ))}
              </MenuList>
            </MenuPopover>
          </Menu>
          <Select
            aria-label="Direction"
            value={direction}
            onChange={(_, { value }) => {
              setDirection(value as Direction);
              requestAnimationFrame(() => requestAnimationFrame(() => handle.current?.fit()));
            }}
          >
            <option value="down">From the top down</option>
            <option value="up">From the bottom up</option>
            <option value="right">From left to right</option>
            <option value="left">From right to left</option>
          </Select>
          <output className={styles.faint}>
            {people} people{posts > 0 && `, ${posts} vacant`}
            {average !== null && `, ${average.toFixed(2)} reports a manager`}
            {tree.unplaced.length > 0 && `, ${tree.unplaced.length} unplaced`}
          </output>
        </div>
        {tree.people.size === 0 ? (
          <EmptyState
            icon={<OrganizationRegular />}
            title="Nobody is here yet"
            text="Add members first, then set their managers."
          />
        ) : (
          <div className={styles.body}>
            <div className={styles.picture}>
              <ChartCanvas
                handle={handle}
                drawing={drawing}
                start={selected ?? tree.roots[0] ?? null}
                hasMap={!phone}
                label={`Organisation chart of ${people} people. The list beside it says the same in words.`}
                mayMove={mayMove}
                onSelect={select}
                onToggle={toggle}
                onDrop={ask}
              />
              <div className={styles.zoom}>
                <Button
                  appearance="subtle"
                  icon={<AddRegular />}
                  aria-label="Zoom in"
                  onClick={() => handle.current?.zoom(1.25)}
                />
                <Button
                  appearance="subtle"
                  icon={<SubtractRegular />}
                  aria-label="Zoom out"
                  onClick={() => handle.current?.zoom(0.8)}
                />
                <Button
                  appearance="subtle"
                  icon={<ZoomFitRegular />}
                  aria-label="Show all"
                  onClick={() => handle.current?.fit()}
                />
                {me !== null && tree.people.has(me) && (
                  <Button appearance="subtle" icon={<PersonRegular />} aria-label="Show me" onClick={() => find(me)} />
                )}
              </div>
            </div>
            <div className={styles.side}>
              {plan && (
                <PlanPanel
                  plan={plan}
                  now={now}
                  then={tree}
                  mayChange={mayMove}
                  onShow={find}
                  onRemove={removeMove}
                  onFinish={() => setFinishing(true)}
                  onLeave={() => void leavePlan()}
                />
              )}
              {person && (
                <section className={styles.person} aria-label="Chosen person">
                  <h2>{person.wanted > 0 ? `Vacant: ${person.designation ?? ''}` : person.name}</h2>
                  <span className={styles.faint}>
                    {[person.empno, person.designation, person.department, person.branch].filter(Boolean).join(' · ')}
                  </span>
                  <dl>
                    <dt>Reports to</dt>
                    <dd>
                      {person.parent === null
                        ? 'Nobody'
                        : (tree.people.get(person.parent)?.name ?? 'Somebody who is not here')}
                    </dd>
                    {person.wanted > 0 ? (
                      <>
                        <dt>Wanted</dt>
                        <dd>
                          {person.wanted}
                          {person.joined !== null && ` from ${formatDate(person.joined)}`}
                        </dd>
                      </>
                    ) : (
                      <>
                        <dt>Direct reports</dt>
                        <dd>{tree.span(person.id)}</dd>
                        <dt>People below</dt>
                        <dd>{tree.headCount(person.id) - 1}</dd>
                      </>
                    )}
                    {person.score !== null && (
                      <>
                        <dt>Score</dt>
                        <dd>
                          {person.score.toFixed(2)} {person.band}
                        </dd>
                      </>
                    )}
                  </dl>
                  <div className={styles.acts}>
                    {mayMove && person.wanted === 0 && (
                      <>
                        <Button icon={<PersonSwapRegular />} onClick={() => setMoving({ id: person.id })}>
                          Change manager…
                        </Button>
                        {cut === null ? (
                          <Button appearance="subtle" icon={<CutRegular />} onClick={() => setCut(person.id)}>
                            Cut
                          </Button>
                        ) : cut === person.id ? (
                          <Button appearance="subtle" onClick={() => setCut(null)}>
                            Do not move
                          </Button>
                        ) : (
                          <Button
                            appearance="subtle"
                            icon={<ClipboardPasteRegular />}
                            onClick={() => ask(cut, person.id)}
                          >
                            Paste {tree.people.get(cut)?.name} here
                          </Button>
                        )}
                      </>
                    )}
                    {opensPeople && person.wanted === 0 && (
                      <Button appearance="subtle" onClick={() => void navigate(`/employee/view/${person.id}`)}>
                        Open profile
                      </Button>
                    )}
                  </div>
                </section>
              )}
              <PeopleTree
                tree={tree}
                open={opened}
                layer={layer}
                selected={selected}
                onSelect={(id) => {
                  select(id);
                  handle.current?.show(id);
                }}
                onToggle={toggle}
                moves={
                  mayMove
                    ? {
                        cut,
                        onCut: setCut,
                        onPaste: ask,
                        onMove: (id) => tree.people.get(id)!.wanted === 0 && setMoving({ id }),
                      }
                    : null
                }
              />
              <UnplacedTray tree={tree} selected={selected} onSelect={select} />
            </div>
          </div>
        )}
      </PageBody>
      {moving && tree.people.has(moving.id) && (
        <Suspense fallback={null}>
          <ChangeManagerDialog
            choice={choiceInChart(tree, moving.id)}
            manager={moving.manager}
            isPlanned={plan !== null}
            onMove={(one) => void move(one)}
            onClose={() => setMoving(null)}
          />
        </Suspense>
      )}
      {isFinishing && plan && (
        <Suspense fallback={null}>
          <PlanDialog
            plan={plan}
            nameOf={(id) => tree.people.get(id)?.name ?? 'a former member'}
            onDone={(done, what) => void finished(done, what)}
            onClose={() => setFinishing(false)}
          />
        </Suspense>
      )}
    </Page>
  );
}
