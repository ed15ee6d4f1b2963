import { ExpressionSyntaxError, LABEL, compileExpression } from '../../../descriptor/expression/compile_expression.ts';
import { typeProblem } from '../../../descriptor/expression/expression_types.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import { didYouMean } from '../../../descriptor/source.ts';
import type { Field, FieldError, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { tableName } from '../../db/names.ts';
import { relationNamed } from '../../engine/workflow/relations.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

type Row = Record<string, unknown>;

const STAMPS = ['id', 'created_by', 'created_at', 'updated_by', 'updated_at', 'version', 'active', 'entity_id'];

/** The error in a process's condition on its documents; null = none. */
function conditionProblem(text: string, screen: Screen, screens: ReadonlyMap<string, Screen>): string | null {
  let names: string[];
  try {
    ({ names } = compileExpression(text));
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return `This cannot be read as an expression: ${error.message}`;
    throw error;
  }
  let isPlain = true;
  for (const name of names) {
    const [first = '', ...rest] = name.split('.');
    const field = screen.fields.find((one) => one.name === first);
    if (!field && !STAMPS.includes(first))
      return `"${first}" is not a field of the ${inSentence(screen.title)}. ${didYouMean(
        first,
        screen.fields.map((one) => one.name),
      )}`;
    if (!field) isPlain = false;
    if (!field || rest.length === 0) continue;
    if (field.rows) {
      if (rest.length > 1 || !field.rows.some((column) => column.name === rest[0]))
        return `"${name}" is not a column of ${field.title}.`;
      continue;
    }
    isPlain = false;
    let at: Field | undefined = field;
    for (const step of rest) {
      const target: Screen | undefined = at?.ref && screens.get(at.ref.type);
      if (step === LABEL && target) continue;
      at = target?.fields.find((one) => one.name === step);
      if (!at) return `"${name}" leads nowhere: "${step}" is not a field behind it.`;
    }
  }
  const problem = isPlain
    ? typeProblem(text, (name) => screen.fields.find((field) => field.name === name), 'condition')
    : null;
  return problem && `${problem.message} ${problem.hint}`;
}

/** A slab with percentages needs a target: the time limit of its level. */
async function slabErrors({ tenant: { db, schema } }: Session, levels: readonly Row[]): Promise<FieldError[]> {
  const without = levels.flatMap(({ slab_id: slab, time_limit: limit }, at) =>
    typeof slab === 'number' && (limit === null || limit === undefined) ? [{ slab, at }] : [],
  );
  if (without.length === 0) return [];
  const rows = await db.query<{ id: number }>(
    `select id from ${tableName(schema, 'slab')} where basis = 'pct_of_target' and id = any($1::bigint[])`,
    [without.map(({ slab }) => slab)],
  );
  const relative = new Set(rows.map(({ id }) => id));
  return without
    .filter(({ slab }) => relative.has(slab))
    .map(({ at }) => ({
      field: `levels.${at}.time_limit`,
      message: 'The slab uses % of the time limit. Enter a time limit.',
    }));
}

/** Processes that could not be executed are refused when they are saved. */
export default defineHooks({
  async check(session, record, _stored, screens) {
    const screen = screens.get(String(record.transaction_type));
    if (!screen?.approval) return [];
    const errors: FieldError[] = [];
    const { condition } = record;
    if (typeof condition === 'string' && condition.trim() !== '') {
      const message = conditionProblem(condition, screen, screens);
      if (message !== null) errors.push({ field: 'condition', message });
    }
    errors.push(...(await slabErrors(session, (record.levels ?? []) as Row[])));
    const known = [...Object.keys(screen.relations ?? {}), 'requester'];
    for (const [at, { approver_by: by, relation }] of ((record.levels ?? []) as Row[]).entries()) {
      if (by !== 'relation' || typeof relation !== 'string') continue;
      const taken = relation.startsWith('did:') ? relation.slice('did:'.length) : null;
      const isKnown =
        taken === null
          ? relationNamed(screen, relation) !== undefined
          : screen.workflow?.transitions.some(({ name }) => name === taken) === true;
      if (!isKnown)
        errors.push({
          field: `levels.${at}.relation`,
          message: `The ${inSentence(screen.title)} has no person field "${relation}". Write one of ${known.join(', ')}, or did: with a step, such as did:${screen.workflow?.transitions[0]?.name ?? 'submit'}.`,
        });
    }
    return errors;
  },
});
