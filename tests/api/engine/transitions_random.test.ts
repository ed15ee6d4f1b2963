import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copySchemas } from '../schemas_with.ts';
import type { Transition, Workflow } from '../../../src/descriptor/workflow.ts';
import { BACK } from '../../../src/descriptor/workflow.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

// Random workflows, each a type of its own, and random sequences of what people do with a record of them.

interface Step {
  transition: string;
  from: string;
  to: string;
}

const WORKFLOWS = 8;
const RUNS = 40;
const seed = Date.now() % 2 ** 31;

/** A workflow as a descriptor has it: every state but the first is reached by a transition. */
const written = fc.integer({ min: 3, max: 6 }).chain((count) => {
  const states = Array.from({ length: count }, (_, at) => `s${at}`);
  const from = fc.oneof(
    { weight: 4, arbitrary: fc.subarray(states, { minLength: 1 }) },
    { weight: 1, arbitrary: fc.constant('open') },
  );
  const kind = fc.constantFrom({}, {}, { is: 'closed' }, { is: 'cancelled' });
  const reaching = fc.tuple(...states.slice(1).map((to) => fc.record({ from, to: fc.constant(to) })));
  const others = fc.array(
    fc.record({ from, to: fc.constantFrom(...states, BACK, undefined) }, { requiredKeys: ['from'] }),
    { maxLength: 5 },
  );
  return fc.tuple(fc.tuple(...states.slice(1).map(() => kind)), reaching, others).map(([kinds, must, may]) => ({
    field: 'state',
    states: Object.fromEntries(states.map((name, at) => [name, at === 0 ? {} : kinds[at - 1]])),
    transitions: Object.fromEntries([...must, ...may].map((one, at) => [`t${at}`, one])),
  }));
});

const act = fc.record({
  does: fc.oneof(
    { weight: 12, arbitrary: fc.constant('step' as const) },
    { weight: 2, arbitrary: fc.constant('two at once' as const) },
    { weight: 1, arbitrary: fc.constantFrom('old version' as const, 'write' as const, 'bulk' as const) },
  ),
  one: fc.nat(1_000),
  other: fc.nat(1_000),
});

let schemasDir: string;
let world: World;
let acme: TestTenant;
let admin: Caller;
const typeOf = (at: number) => `t_walk_${at}`;

beforeAll(async () => {
  schemasDir = mkdtempSync(join(tmpdir(), 'random-steps-'));
  copySchemas(schemasDir);
  for (const [at, workflow] of fc.sample(written, { numRuns: WORKFLOWS, seed }).entries())
    writeFileSync(
      join(schemasDir, 'organisation', `${typeOf(at)}.json`),
      JSON.stringify({
        $schema: '../meta/screen.schema.json',
        kind: 'document',
        title: `Walk ${at}`,
        access: { screen: `SCN_T_WALK_${at}`, action: null },
        scope: 'entity',
        label: ['subject'],
        schema: { required: ['subject'], properties: { subject: { $ref: 'types#text' } } },
        workflow,
      }),
    );
  world = await startWorld({ schemasDir });
  acme = await world.tenant();
  await acme.user('admin', { isAdmin: true });
  admin = await world.signIn(acme, 'admin');
});
afterAll(async () => {
  await world.close();
  rmSync(schemasDir, { recursive: true, force: true });
});

/** Where a transition leads after these steps; null = it is not allowed from where they ended. */
function leadsTo({ states }: Workflow, { from, to }: Transition, steps: readonly Step[]): string | null {
  const first = states[0]!.name;
  const now = steps.at(-1)?.to ?? first;
  if (!from.includes(now)) return null;
  if (to !== BACK) return to ?? now;
  return steps.findLast((step) => step.to === now && step.from !== now)?.from ?? first;
}

it(`states are reached only by transitions, and the log has no gap (workflows of ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(WORKFLOWS - 1), fc.array(act, { minLength: 5, maxLength: 15 }), async (number, acts) => {
      const type = typeOf(number);
      const workflow = world.screens.get(type)!.workflow!;
      const made = await admin.call('POST', `/tapi/${type}`, { subject: 'Walk' });
      expect(made.statusCode, made.body).toBe(201);
      const { id } = made.json<{ data: { id: number } }>().data;
      const log = () =>
        acme.sql<Step>(
          'select transition, from_state as "from", to_state as "to" from {s}.transition_log where record_type = $1 and record_id = $2 order by id',
          [type, id],
        );
      const stored = async () =>
        (
          await acme.sql<{ state: string; version: number }>(`select state, version from {s}.${type} where id = $1`, [
            id,
          ])
        )[0]!;
      const pick = (at: number) => workflow.transitions[at % workflow.transitions.length]!;
      const model: Step[] = [];
      /** Adds a step to the model, if the model allows it. */
      const take = (transition: Transition): boolean => {
        const to = leadsTo(workflow, transition, model);
        if (to === null) return false;
        model.push({ transition: transition.name, from: model.at(-1)?.to ?? workflow.states[0]!.name, to });
        return true;
      };
      for (const { does, one, other } of acts) {
        const { version } = await stored();
        const call = ({ name }: Transition, at = version) =>
          admin.call('POST', `/tapi/${type}/${id}/${name}`, { version: at });
        if (does === 'step') expect((await call(pick(one))).statusCode).toBe(take(pick(one)) ? 200 : 409);
        else if (does === 'old version') expect((await call(pick(one), version - 1)).statusCode).toBe(409);
        else if (does === 'bulk')
          expect((await admin.call('POST', `/tapi/${type}/bulk/${pick(one).name}`, { ids: [id] })).statusCode).toBe(
            404,
          );
        else if (does === 'write') {
          const state = workflow.states[one % workflow.states.length]!.name;
          const isThere = state === (await stored()).state;
          const answer = await admin.call('PUT', `/tapi/${type}/${id}`, { version, state });
          expect(answer.statusCode, answer.body).toBe(isThere ? 200 : 422);
        } else {
          const answers = await Promise.all([call(pick(one)), call(pick(other))]);
          for (const { statusCode, body } of answers) expect([200, 409], body).toContain(statusCode);
          // Who is first is not said; the log says it, and the model must allow what it says.
          const added = (await log()).slice(model.length);
          expect(added).toHaveLength(answers.filter(({ statusCode }) => statusCode === 200).length);
          for (const { transition } of added)
            expect(take(workflow.transitions.find(({ name }) => name === transition)!)).toBe(true);
        }
        expect((await stored()).state).toBe(model.at(-1)?.to ?? workflow.states[0]!.name);
      }
      // The model begins in the first state, and each of its steps where the one before ended.
      expect(await log()).toEqual(model);
    }),
    { numRuns: RUNS },
  );
});
