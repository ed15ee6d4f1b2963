import type { Module } from '../../engine/modules.ts';
import { nextYear } from './actions/next_year.ts';
import { adopt } from './effects/adopt.ts';
import { applyUpdate } from './effects/apply_update.ts';
import { proposeUpdate } from './actions/propose_update.ts';
import { tasksOfTemplate } from './actions/tasks_to_adopt.ts';
import { updateLinesInWords } from './fills/update_lines.ts';
import { adoptionPreview } from './fills/adoption_preview.ts';
import { adoptionTasks } from './fills/adoption_tasks.ts';
import { askedNa } from './effects/asked_na.ts';
import { cancelInstance } from './effects/cancel_instance.ts';
import { countInstanceOfTask } from './effects/count_instance.ts';
import { TASK_ENDED, ended } from './effects/ended.ts';
import { freezeScores, thawScores } from './effects/freeze_scores.ts';
import { generate } from './effects/generate.ts';
import { keepLate } from './effects/keep_late.ts';
import { moved } from './effects/moved.ts';
import { opened } from './effects/opened.ts';
import { planOwnTask } from './effects/plan_own_task.ts';
import { reassigned } from './effects/reassigned.ts';
import { reopened } from './effects/reopened.ts';
import { resume } from './effects/resume.ts';
import { retire } from './effects/retire.ts';
import { returned } from './effects/returned.ts';
import { startInstance } from './effects/start_instance.ts';
import { submitted } from './effects/submitted.ts';
import { takeTask } from './effects/take_task.ts';
import { tellAdopters } from './effects/tell_adopters.ts';
import { scheduleWords } from './fills/schedule_words.ts';
import { everybodyFound } from './guards/everybody_found.ts';
import { mayGiveTask } from './guards/may_give_task.ts';
import { maySubmit } from './guards/may_submit.ts';
import { monthIsOpen } from './guards/month_is_open.ts';
import { monthIsOver } from './guards/month_is_over.ts';
import { commonTemplates } from './jobs/common_templates.ts';
import { generateInstances } from './jobs/generate_instances.ts';
import { holidaysMissing } from './jobs/holidays_missing.ts';
import { lateLevels } from './jobs/late_levels.ts';
import { morningDigest } from './jobs/morning_digest.ts';
import { openTasks } from './jobs/open_tasks.ts';
import { reassignLeavers } from './jobs/reassign_leavers.ts';
import { reshiftTasks } from './jobs/reshift_tasks.ts';
import { scoreSnapshot } from './jobs/score_snapshot.ts';
import { templateUpdates } from './jobs/template_updates.ts';
import { calendarChanged } from './subscribers/calendar_changed.ts';
import { memberMoved } from './subscribers/member_moved.ts';
import { checklistChanged } from './subscribers/checklist_changed.ts';
import { taskEnded } from './subscribers/task_ended.ts';
import { recordFigures } from './record_figures.ts';

const module: Module = {
  name: 'act_checklists',
  figures: recordFigures,
  effects: {
    adopt,
    apply_update: applyUpdate,
    asked_na: askedNa,
    cancel_instance: cancelInstance,
    count_instance: countInstanceOfTask,
    ended,
    freeze_scores: freezeScores,
    thaw_scores: thawScores,
    generate,
    keep_late: keepLate,
    moved,
    opened,
    plan_own_task: planOwnTask,
    reassigned,
    reopened,
    resume,
    retire,
    returned,
    start_instance: startInstance,
    submitted,
    take_task: takeTask,
    tell_adopters: tellAdopters,
  },
  guards: {
    everybody_found: everybodyFound,
    may_give_task: mayGiveTask,
    may_submit: maySubmit,
    month_is_open: monthIsOpen,
    month_is_over: monthIsOver,
  },
  fills: {
    adoption_preview: adoptionPreview,
    adoption_tasks: adoptionTasks,
    schedule_words: scheduleWords,
    update_lines: updateLinesInWords,
  },
  actions: { next_year: nextYear, propose_update: proposeUpdate, tasks_to_adopt: tasksOfTemplate },
  jobs: {
    common_templates: commonTemplates,
    generate_instances: generateInstances,
    holidays_missing: holidaysMissing,
    late_levels: lateLevels,
    morning_digest: morningDigest,
    open_tasks: openTasks,
    reassign_leavers: reassignLeavers,
    reshift_tasks: reshiftTasks,
    score_snapshot: scoreSnapshot,
    template_updates: templateUpdates,
  },
  // Tasks are withdrawn by the case, filing or checklist that they belong to.
  stepJobs: ['withdraw_tasks'],
  emits: { task_ended: TASK_ENDED },
  on: {
    'act_checklists.task_ended': taskEnded,
    'master_checklist.changed': checklistChanged,
    'employee.changed': memberMoved,
    'business_calendar.changed': calendarChanged,
    ...Object.fromEntries(
      ['holiday', 'weekoff'].flatMap((type) =>
        ['created', 'changed', 'removed'].map((what) => [`${type}.${what}`, calendarChanged]),
      ),
    ),
  },
};
export default module;
