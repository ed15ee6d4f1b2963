import { Exact } from '../../descriptor/exact.ts';
import { formatMoney } from '../../descriptor/format.ts';
import { inSentence } from '../../descriptor/in_sentence.ts';
import type { FieldError, Screen } from '../../descriptor/types.ts';
import type { ActsFor, Session } from '../context.ts';
import { quoted, tableName } from '../db/names.ts';
import { AppError } from '../errors.ts';
import { flowErrors } from './flow.ts';
import { rowScope } from './scope.ts';
import { Values, named } from './sql_text.ts';

type Row = Readonly<Record<string, unknown>>;

/** Whether a change decides what somebody asked for, by the steps of the type. */
export function approves({ flow }: Screen, stored: Row | null, record: Row): boolean {
  if (!flow?.approve) return false;
  const [before, after] = [stored?.[flow.field] ?? null, record[flow.field] ?? null];
  if (after === null || after === before) return false;
  // What never was at a step has not been asked for either.
  const decided =
    before === null
      ? Object.values(flow.approve.moves)
          .flat()
          .filter((value) => !flow.start?.includes(value))
      : (flow.approve.moves[String(before)] ?? []);
  return decided.includes(String(after));
}

/** What the steps of a type do not allow an import: what they allow nobody, and to decide; what it says is one person's word about many records. */
export function importStepErrors(screen: Screen, stored: Row | null, record: Row): FieldError[] {
  const errors = flowErrors(screen, record, stored);
  if (errors.length > 0 || !approves(screen, stored, record)) return errors;
  const field = screen.fields.find(({ name }) => name === screen.flow!.field)!;
  const label = field.options?.find(({ value }) => value === record[field.name])?.label ?? String(record[field.name]);
  return [
    {
      field: field.name,
      message: `"${label}" is decided at the ${inSentence(screen.title)} itself, not by an import. Leave it as it was.`,
    },
  ];
}

/**
 * Lets a person decide, for themselves or as somebody's deputy: with the page right, not what they asked for
 * themselves unless the client lets them, and as a deputy within the giver's sight and up to the limit.
 * @param givers for whom alone they may do it; empty = they do it for themselves
 * @returns for whom they decide; null = for themselves
 * @throws AppError 403
 */
export async function approver(
  session: Session,
  screen: Screen,
  stored: Row,
  record: Row,
  givers: readonly ActsFor[],
  ownWork: (session: Session) => Promise<boolean>,
): Promise<ActsFor | null> {
  const refused = session.rights.refuse(screen, 'approval_screen');
  if (refused) throw new AppError(403, 'forbidden', refused.message, { reason: refused.reason });
  const { asked = [], amount: amountField } = screen.flow!.approve!;
  const askedBy = ({ userId, employeeId }: Pick<ActsFor, 'userId' | 'employeeId'> | Session) =>
    asked.some((name) => {
      const id = screen.fields.find((field) => field.name === name)?.ref?.type === 'employee' ? employeeId : userId;
      return id !== null && stored[name] === id;
    });
  const title = inSentence(screen.title);
  const no = (message: string) => new AppError(403, 'forbidden', message, { reason: 'row' });
  const free = await ownWork(session);
  if (!free && askedBy(session))
    throw no(`You asked for this ${title} yourself or changed it last. Somebody else decides it.`);
  if (givers.length === 0) return null;
  const others = free ? givers : givers.filter((giver) => !askedBy(giver));
  if (others.length === 0)
    throw no(`You act for ${givers[0]!.name} here, who asked for this ${title}. Somebody else decides it.`);
  // What is changed in the same breath counts as well: no limit is passed by a smaller figure.
  const amounts =
    amountField === undefined
      ? []
      : [stored[amountField], record[amountField]].flatMap((value) =>
          value === null || value === undefined ? [] : [new Exact(value as string | number)],
        );
  const amount = amounts.length > 0 ? Exact.max(...amounts) : null;
  const within = others.find(({ limit }) => limit === null || amount === null || amount.lte(limit));
  if (within) return within;
  const widest = others.reduce((a, b) => (new Exact(a.limit!).gte(b.limit!) ? a : b));
  throw no(
    `As deputy of ${widest.name} you approve up to ${formatMoney(widest.limit!)}; this ${title} comes to ${formatMoney(amount!.toFixed())}. ${widest.name} or another approver decides it.`,
  );
}

/** More than these are not counted. */
const MOST_COUNTED = 1_000;

/** How many records of a type wait for this person to decide them: in sight, at a step that is decided, and not asked for by themselves. */
export async function countWaiting(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  mayDecideOwn: boolean,
): Promise<number> {
  const { flow } = screen;
  if (!flow?.approve) return 0;
  const values = new Values();
  const where = [
    't.active',
    `t.${quoted(flow.field)} = any(${values.bind(Object.keys(flow.approve.moves))}::text[])`,
    ...rowScope(session, screen, screens, 't', values),
  ];
  for (const name of mayDecideOwn ? [] : (flow.approve.asked ?? [])) {
    const me =
      screen.fields.find((field) => field.name === name)?.ref?.type === 'employee'
        ? session.employeeId
        : session.userId;
    if (me !== null) where.push(`t.${quoted(name)} is distinct from ${values.bind(me)}::bigint`);
  }
  const [row] = await session.tenant.db.query<{ count: number }>(
    named(
      `select count(*)::int as count from (select 1 from ${tableName(session.tenant.schema, screen.name)} t where ${where.join(' and ')} limit ${MOST_COUNTED}) x`,
      values.list,
    ),
  );
  return row?.count ?? 0;
}
