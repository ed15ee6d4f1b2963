import type { Job } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import type { TemplateRules } from '../appraisal_rules.ts';
import { appraisalRules } from '../appraisal_rules.ts';
import { appraisalSettings } from '../appraisal_settings.ts';
import type { LaunchMember } from '../launch_members.ts';
import { launchMembers } from '../launch_members.ts';

const MADE_PER_STEP = 250;
const MOVED_PER_STEP = 200;

interface Launch extends Record<string, unknown> {
  id: number;
  state: string;
  period_id: number;
  template_id: number;
  self_to: string;
  manager_to: string;
  release_on: string;
  exclude_ids: number[] | null;
}

async function launchOf(unit: Unit, id: number): Promise<Launch> {
  const [launch] = await unit.query<Launch>(
    `select id, state, period_id, template_id, self_to::text, manager_to::text, release_on::text, exclude_ids
     from {appraisal_launch} where id = $1`,
    [id],
  );
  return launch!;
}

interface Template extends TemplateRules, Record<string, unknown> {
  id: number;
  kpis_needed: boolean;
}

/** The template for each designation of a launch, with what settings decide for it; null = for all others. */
async function templatesOf(unit: Unit, launch: Launch): Promise<(designation: number | null) => Template> {
  const mapped = await unit.query<{ designation_id: number; template_id: number }>(
    'select designation_id, template_id from {appraisal_launch.template_map} where parent_id = $1',
    [launch.id],
  );
  const written = await unit.query<Template>(
    `select id, kpi_weight::text, competency_weight::text, feedback_weight::text, rating_scheme_id, kpis_needed
     from {appraisal_template} where id = any($1)`,
    [[launch.template_id, ...mapped.map(({ template_id: id }) => id)]],
  );
  const templates: Template[] = [];
  for (const template of written) templates.push({ ...template, ...(await appraisalRules(unit, template)) });
  return (designation) => {
    const own = mapped.find(({ designation_id: id }) => id === designation)?.template_id ?? launch.template_id;
    return templates.find(({ id }) => id === own)!;
  };
}

/** Adds the missing appraisals of members for the period. */
async function addAppraisals(unit: Unit, launchId: number, members: readonly LaunchMember[]): Promise<void> {
  const launch = await launchOf(unit, launchId);
  const settings = await appraisalSettings(unit);
  const templateOf = await templatesOf(unit, launch);
  await unit.createMany(
    'appraisal',
    members.map((member) => {
      const template = templateOf(member.designation_id);
      const above =
        settings.reviewer_level === 'hod'
          ? member.department_head_id
          : settings.reviewer_level === 'skip_level'
            ? member.manager_above_id
            : null;
      return {
        launch_id: launch.id,
        employee_id: member.id,
        period_id: launch.period_id,
        template_id: template.id,
        manager_id: member.manager_id,
        reviewer_id: above === member.id || above === member.manager_id ? null : above,
        designation_id: member.designation_id,
        department_id: member.department_id,
        branch_id: member.branch_id,
        kpi_weight: template.kpi_weight,
        competency_weight: template.competency_weight,
        feedback_weight: template.feedback_weight,
        rating_scheme_id: template.rating_scheme_id,
        kpis_needed: template.kpis_needed,
        has_self_rating: settings.self_rating === 'yes',
        needs_moderation: settings.moderation !== 'off',
        auto_submit_self: settings.auto_submit_self,
        may_replace_kpis: settings.kpi_override === 'with_reason',
        self_to: launch.self_to,
        manager_to: launch.manager_to,
        release_on: launch.release_on,
      };
    }),
  );
}

/** The transition of an appraisal for the state of its launch. */
function nextStep(launch: Launch, { status, employee, self }: { status: string; employee: number; self: boolean }) {
  const isBeforeFinal = ['not_started', 'self_rating', 'manager_rating', 'reviewed', 'moderation'].includes(status);
  if (isBeforeFinal && (launch.state === 'cancelled' || launch.exclude_ids?.includes(employee))) return 'exclude';
  if (status === 'not_started' && !['draft', 'scheduled', 'closed'].includes(launch.state))
    return self ? 'open' : 'open_rating';
  if (status === 'acknowledged' && launch.state === 'closed') return 'close';
  return null;
}

/** Appraisals whose days differ from those of the launch. */
function withOtherDays(unit: Unit, appraisals: readonly { id: number }[], launch: Launch) {
  return unit.query<{ id: number; status: string }>(
    `select id, status from {appraisal} where id = any($1) and status in ('not_started', 'self_rating', 'manager_rating', 'reviewed',
       'moderation', 'final') and (self_to, manager_to, release_on) is distinct from ($2::date, $3::date, $4::date)`,
    [appraisals.map(({ id }) => id), launch.self_to, launch.manager_to, launch.release_on],
  );
}

/** Brings the appraisals of a launch to its state: creates, opens, excludes and closes them, and copies its days. */
export const runLaunch: Job = {
  elevated: true,
  args: { type: 'object', properties: { launch: { type: 'integer' } } },
  async run({ args, each }) {
    const id = Number(args.launch);
    const made = await each<LaunchMember>(
      async (unit, after) => {
        const { state } = await launchOf(unit, id);
        const isOpen = ['scheduled', 'self_rating', 'manager_rating'].includes(state);
        return isOpen
          ? launchMembers(unit, id, { after: Number(after ?? 0), limit: MADE_PER_STEP, isMissing: true })
          : [];
      },
      async (person, members) => {
        await addAppraisals(person.elevated(), id, members);
        return members.at(-1)!.id;
      },
    );
    let moved = 0;
    await each<{ id: number; status: string; employee_id: number; has_self_rating: boolean }>(
      (unit, after) =>
        unit.query(
          `select a.id, a.status, a.employee_id, a.has_self_rating from {appraisal} a
           where a.launch_id = $1 and a.active and a.status not in ('closed', 'excluded') and a.id > $2 order by a.id limit ${MOVED_PER_STEP}`,
          [id, after ?? 0],
        ),
      async (person, appraisals) => {
        const unit = person.elevated();
        const launch = await launchOf(unit, id);
        const steps = appraisals.map(({ id: appraisal, status, employee_id: employee, has_self_rating: self }) => ({
          appraisal,
          step: nextStep(launch, { status, employee, self }),
        }));
        for (const [step, some] of Map.groupBy(steps, (one) => one.step)) {
          if (step === null) continue;
          const input = step === 'exclude' ? { reason: 'The launch excludes this member.' } : {};
          moved += await unit.takeAutoMany(
            'appraisal',
            some.map((one) => one.appraisal),
            step,
            input,
          );
        }
        const days = { self_to: launch.self_to, manager_to: launch.manager_to, release_on: launch.release_on };
        await unit.changeMany(
          'appraisal',
          (await withOtherDays(unit, appraisals, launch)).map(({ id: late, status }) => ({
            id: late,
            set: {
              ...days,
              ...(status === 'self_rating' && { due_on: launch.self_to }),
              ...(status === 'manager_rating' && { due_on: launch.manager_to }),
            },
          })),
        );
        return appraisals.at(-1)!.id;
      },
    );
    return `${made} appraisals created, ${moved} updated.`;
  },
};
