import { formatAmount } from '../../../descriptor/format.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { TriedLevel, TriedProcess } from '../../../domain/approval_levels.ts';
import type { Session } from '../../access/context.ts';
import { tableName } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import { holds } from '../../engine/workflow/values.ts';
import type { Engine } from '../../engine/records/engine.ts';
import type { RoutedLevel, Situation } from './approval_route.ts';
import { amountField, refusalOf, routesOf } from './approval_route.ts';
import { situationOf } from './approval_subject.ts';

/** The input of a simulated approval; a record supplies missing values. */
export interface TryInput {
  type: string;
  recordId: number | null;
  branchId: number | null;
  amount: string | null;
  /** The requesting account; null = the person themselves. */
  requesterId: number | null;
}

export interface TriedApproval {
  processes: TriedProcess[];
  /** Why nobody is asked; null = somebody is. */
  note: string | null;
}

const AFTER = {
  remind: 'they are reminded again',
  escalate_manager: 'their managers are asked too',
  next_level: 'the next level is asked too',
};

function timeOf({
  time_unit: unit,
  remind_after: remind,
  time_limit: limit,
  on_timeout: then,
}: RoutedLevel): string | null {
  const span = (count: number) => `${count} working ${(unit ?? 'hours').slice(0, count === 1 ? -1 : undefined)}`;
  const parts = [
    ...(remind === null ? [] : [`reminder after ${span(remind)}`]),
    ...(limit === null ? [] : [`after ${span(limit)} ${AFTER[then ?? 'remind']}`]),
  ];
  return parts.length === 0 ? null : parts.join(', ').replace(/^./, (first) => first.toUpperCase());
}

function noteOf(level: RoutedLevel, situation: Situation): string | null {
  const { isAsked, people, amount_from: from } = level;
  if (!isAsked)
    return situation.amount === null
      ? 'Not asked without an amount.'
      : from === null
        ? 'Not needed for this amount.'
        : `Not asked for this amount: it begins at ${formatAmount(amountField(situation.screen), from, situation.record)}, and another level may hold it alone.`;
  if (people.length > 0) return null;
  return level.approver_by === 'relation' && situation.record === null
    ? `Named by the ${inSentence(situation.screen.title)} (${level.relation}). Choose one to see who.`
    : 'Nobody found: the next level is asked.';
}

/** The approvers of a simulated request, level by level, with the reasons. Nothing is stored. */
export async function tryApproval(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  engine: Engine,
  input: TryInput,
): Promise<TriedApproval> {
  const { db, schema } = session.tenant;
  const wrong = (field: string, message: string) => new AppError(422, 'invalid', message, { field });
  const screen = screens.get(input.type);
  if (!screen?.approval) throw wrong('type', 'Choose a document that is approved.');
  const record: WireRecord | null = input.recordId === null ? null : await engine.read(session, screen, input.recordId);
  const base = await situationOf(session, screen, record ?? ({ id: 0 } as WireRecord));
  const [branch] =
    input.branchId === null
      ? []
      : await db.query<{ name: string }>(
          `select name from ${tableName(schema, 'branch')} where id = $1 and entity_id = $2`,
          [input.branchId, session.entityId],
        );
  if (input.branchId !== null && !branch) throw wrong('branch_id', 'This branch does not belong to the company.');
  const [requester] =
    input.requesterId === null
      ? []
      : await db.query<{ id: number; employee_id: number | null; name: string }>(
          `select id, employee_id, name from ${tableName(schema, 'users')} where id = $1 and active`,
          [input.requesterId],
        );
  if (input.requesterId !== null && !requester) throw wrong('requester_id', 'There is no such user.');
  const situation: Situation = {
    ...base,
    record,
    amount: input.amount ?? base.amount,
    ...(branch && { branchId: input.branchId, branchName: branch.name }),
    ...(requester && {
      requester: { userId: requester.id, employeeId: requester.employee_id, name: requester.name },
      requesters: [requester.id],
    }),
  };
  if (record && !(await holds({ session, screen, screens, record }, screen.approval.when)))
    return {
      processes: [],
      note: `This ${inSentence(screen.title)} needs no approval: only others do (${screen.approval.when}).`,
    };
  const routed = await routesOf(session, screens, situation);
  const processes = routed.map((process): TriedProcess => ({
    id: process.id,
    name: process.name,
    beside: process.beside,
    refused:
      record === null && process.levels.some(({ approver_by: by }) => by === 'relation')
        ? null
        : refusalOf(situation, process),
    levels: process.levels.map((level): TriedLevel => ({
      level: level.level,
      asked: level.isAsked,
      note: noteOf(level, situation),
      need: level.need,
      need_n: level.need_n,
      time: timeOf(level),
      people: level.people.map(({ name, why }) => ({ name, why })),
      left_out: level.leftOut.map(({ name }) => name),
    })),
  }));
  if (processes.length === 0)
    return {
      processes,
      note: 'No approval process applies. Everybody with the right to approve this document can decide it.',
    };
  return {
    processes,
    note: processes.some(({ levels }) => levels.some(({ asked }) => asked))
      ? null
      : 'No level applies to this amount. It is approved at once.',
  };
}
