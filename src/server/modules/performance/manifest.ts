import type { Module } from '../../engine/modules.ts';
import { baseTargets } from './actions/base_targets.ts';
import { spreadDifference } from './actions/spread_difference.ts';
import { spreadTargets } from './actions/spread_targets.ts';
import { spreadWeights } from './actions/spread_weights.ts';
import { applyTargetChange } from './effects/apply_target_change.ts';
import { applyPush } from './effects/apply_push.ts';
import { changeOfManager } from './checks/change_of_manager.ts';
import { askFeedback } from './effects/ask_feedback.ts';
import { carryOutLaunch } from './effects/carry_out_launch.ts';
import { computeFormulas } from './effects/compute_formulas.ts';
import { countFeedback } from './effects/count_feedback.ts';
import { dropActuals } from './effects/drop_actuals.ts';
import { fixRating } from './effects/fix_rating.ts';
import { giveFeedback } from './effects/give_feedback.ts';
import { openAppraisal } from './effects/open_appraisal.ts';
import { periodChanged } from './effects/period_changed.ts';
import { planActuals } from './effects/plan_actuals.ts';
import { planTargetChange } from './effects/plan_target_change.ts';
import { previewPush } from './effects/preview_push.ts';
import { namePlanLinks } from './effects/name_plan_links.ts';
import { notifyHr } from './effects/notify_hr.ts';
import { refreshKpis } from './effects/refresh_kpis.ts';
import { releaseAppraisal } from './effects/release_appraisal.ts';
import { relinkPlan } from './effects/relink_plan.ts';
import { reopenStage } from './effects/reopen_stage.ts';
import { reportPeriod } from './effects/report_period.ts';
import { reviseSheet } from './effects/revise_sheet.ts';
import { rollUp, rollUpOwn } from './effects/roll_up.ts';
import { scoreMonth } from './effects/score_month.ts';
import { thawScore } from './effects/thaw_score.ts';
import { achievement } from './fills/achievement.ts';
import { undoPush } from './effects/undo_push.ts';
import { appraisalPeople } from './fills/appraisal_people.ts';
import { appraisalRules } from './fills/appraisal_rules.ts';
import { appraisalScore } from './fills/appraisal_score.ts';
import { entriesValue } from './fills/entries_value.ts';
import { formulaProblem } from './fills/formula_problem.ts';
import { sheetOwner } from './fills/sheet_owner.ts';
import { lineLimits } from './fills/line_limits.ts';
import { dimensionNames } from './fills/dimension_names.ts';
import { targetChange } from './fills/target_change.ts';
import { actualIsEntered } from './guards/actual_is_entered.ts';
import { approverDecides } from './guards/approver_decides.ts';
import { appraisalIsRated } from './guards/appraisal_is_rated.ts';
import { figureFitsUnit } from './guards/figure_fits_unit.ts';
import { launchIsDone } from './guards/launch_is_done.ts';
import { launchIsReady } from './guards/launch_is_ready.ts';
import { monthIsOver } from './guards/month_is_over.ts';
import { periodIsOpen } from './guards/period_is_open.ts';
import { periodIsUnused } from './guards/period_is_unused.ts';
import { planLinksAreOffered } from './guards/plan_links_are_offered.ts';
import { selfIsAnswered } from './guards/self_is_answered.ts';
import { sessionIsHeld } from './guards/session_is_held.ts';
import { sheetIsComplete } from './guards/sheet_is_complete.ts';
import { sheetIsFrozen } from './guards/sheet_is_frozen.ts';
import { sheetIsUnused } from './guards/sheet_is_unused.ts';
import { sheetMayBeRevised } from './guards/sheet_may_be_revised.ts';
import { sheetMayReopen } from './guards/sheet_may_reopen.ts';
import { targetMayChange } from './guards/target_may_change.ts';
import { checkScores } from './jobs/check_scores.ts';
import { closeSheets } from './jobs/close_sheets.ts';
import { endSheets } from './jobs/end_sheets.ts';
import { followManager, followManagerInAppraisals } from './jobs/follow_manager.ts';
import { followPeriodLocks } from './jobs/follow_period_locks.ts';
import { freezeMonths } from './jobs/freeze_months.ts';
import { leaveAppraisals } from './jobs/leave_appraisals.ts';
import { recomputeScores } from './jobs/recompute_scores.ts';
import { remindUpdates } from './jobs/remind_updates.ts';
import { reopenStageOfAppraisals } from './jobs/reopen_stage.ts';
import { runLaunch } from './jobs/run_launch.ts';
import { takeFigures } from './jobs/take_figures.ts';
import { takeImports } from './jobs/take_imports.ts';
import bestAndWorst from './sources/best_and_worst.ts';
import movers from './sources/movers.ts';
import feedbackFigures from './sources/feedback_figures.ts';
import heatMap from './sources/heat_map.ts';
import moderation from './sources/moderation.ts';
import ownAppraisals from './sources/own_appraisals.ts';
import ownFigures from './sources/own_figures.ts';
import { rewardFunctions } from './reward/reward_functions.ts';
import { sendStatements } from './reward/send_statements.ts';
import scorecard from './sources/scorecard.ts';
import teamRatings from './sources/team_ratings.ts';
import { launchChanged } from './subscribers/launch_changed.ts';
import { memberChanged } from './subscribers/member_changed.ts';
import { figureImported } from './subscribers/figure_imported.ts';
import { kpiChanged, scoringChanged } from './subscribers/scoring_changed.ts';

const module: Module = {
  name: 'performance',
  effects: {
    apply_push: applyPush,
    apply_target_change: applyTargetChange,
    ask_feedback: askFeedback,
    carry_out_launch: carryOutLaunch,
    compute_formulas: computeFormulas,
    count_feedback: countFeedback,
    drop_actuals: dropActuals,
    fix_rating: fixRating,
    give_feedback: giveFeedback,
    name_plan_links: namePlanLinks,
    notify_hr: notifyHr,
    open_appraisal: openAppraisal,
    period_changed: periodChanged,
    plan_actuals: planActuals,
    plan_target_change: planTargetChange,
    preview_push: previewPush,
    refresh_kpis: refreshKpis,
    relink_plan: relinkPlan,
    release_appraisal: releaseAppraisal,
    reopen_stage: reopenStage,
    report_period: reportPeriod,
    revise_sheet: reviseSheet,
    roll_up: rollUp,
    roll_up_own: rollUpOwn,
    score_month: scoreMonth,
    thaw_score: thawScore,
    undo_push: undoPush,
    ...rewardFunctions.effects,
  },
  guards: {
    actual_is_entered: actualIsEntered,
    appraisal_is_rated: appraisalIsRated,
    approver_decides: approverDecides,
    figure_fits_unit: figureFitsUnit,
    launch_is_done: launchIsDone,
    launch_is_ready: launchIsReady,
    month_is_over: monthIsOver,
    period_is_open: periodIsOpen,
    period_is_unused: periodIsUnused,
    plan_links_are_offered: planLinksAreOffered,
    self_is_answered: selfIsAnswered,
    session_is_held: sessionIsHeld,
    sheet_is_complete: sheetIsComplete,
    sheet_is_frozen: sheetIsFrozen,
    sheet_is_unused: sheetIsUnused,
    sheet_may_be_revised: sheetMayBeRevised,
    sheet_may_reopen: sheetMayReopen,
    target_may_change: targetMayChange,
    ...rewardFunctions.guards,
  },
  fills: {
    achievement,
    appraisal_people: appraisalPeople,
    appraisal_rules: appraisalRules,
    appraisal_score: appraisalScore,
    entries_value: entriesValue,
    formula_problem: formulaProblem,
    line_limits: lineLimits,
    dimension_names: dimensionNames,
    sheet_owner: sheetOwner,
    target_change: targetChange,
    ...rewardFunctions.fills,
  },
  checks: { employee_history: changeOfManager },
  actions: {
    base_targets: baseTargets,
    spread_difference: spreadDifference,
    spread_targets: spreadTargets,
    spread_weights: spreadWeights,
  },
  sources: {
    best_and_worst: bestAndWorst,
    movers,
    feedback_figures: feedbackFigures,
    heat_map: heatMap,
    moderation,
    own_appraisals: ownAppraisals,
    own_figures: ownFigures,
    scorecard,
    team_ratings: teamRatings,
  },
  jobs: {
    check_scores: checkScores,
    close_sheets: closeSheets,
    end_sheets: endSheets,
    follow_manager: followManager,
    follow_manager_in_appraisals: followManagerInAppraisals,
    follow_period_locks: followPeriodLocks,
    freeze_months: freezeMonths,
    leave_appraisals: leaveAppraisals,
    recompute_scores: recomputeScores,
    remind_updates: remindUpdates,
    reopen_stage: reopenStageOfAppraisals,
    run_launch: runLaunch,
    send_statements: sendStatements,
    take_figures: takeFigures,
    take_imports: takeImports,
  },
  on: {
    'appraisal_launch.changed': launchChanged,
    'base_performance.changed': scoringChanged,
    'base_performance.created': scoringChanged,
    'calc_settings.changed': scoringChanged,
    'calc_settings.created': scoringChanged,
    'employee.changed': memberChanged,
    'kpi.changed': kpiChanged,
    'kpi_import.changed': figureImported,
    'kpi_import.created': figureImported,
  },
};
export default module;
