import type { Module } from '../../engine/modules.ts';
import { allInFavour } from './actions/all_in_favour.ts';
import { renew } from './actions/renew.ts';
import { startCharter } from './actions/start_charter.ts';
import { askEvaluation, closeEvaluation, countEvaluation } from './effects/evaluation.ts';
import { actionsGiven, invite, sendMinutes } from './effects/meeting.ts';
import { say, valueNow } from './effects/question.ts';
import { seatLeft, seatTaken } from './effects/seat.ts';
import { figure } from './fills/figure.ts';
import { meetingFacts } from './fills/meeting_facts.ts';
import { meetingVotes } from './fills/meeting_votes.ts';
import { seatFacts, termUntil } from './fills/terms.ts';
import { maySit, rulesHold, seatIsFree } from './guards/appointment.ts';
import { attendedLater } from './guards/attended_later.ts';
import { consentGiven } from './guards/consent_given.ts';
import { votesAreRight } from './guards/votes_are_right.ts';
import { boardDigest } from './jobs/board_digest.ts';
import { yearlyDisclosures } from './jobs/open_disclosures.ts';
import { watchDeadlines } from './jobs/watch_deadlines.ts';
import { watchRules } from './jobs/watch_rules.ts';
import { recordFigures } from './record_figures.ts';
import answerDays from './sources/answer_days.ts';
import attendance from './sources/attendance.ts';
import clocks from './sources/clocks.ts';
import decisions from './sources/decisions.ts';
import latestPapers from './sources/latest_papers.ts';
import meetingActions from './sources/meeting_actions.ts';
import money from './sources/money.ts';
import monthCounts from './sources/month_counts.ts';
import myActions from './sources/my_actions.ts';
import myFeedback from './sources/my_feedback.ts';
import myPlans from './sources/my_plans.ts';
import myReading from './sources/my_reading.ts';
import myScore from './sources/my_score.ts';
import myWork from './sources/my_work.ts';
import overseen from './sources/overseen.ts';
import quorum from './sources/quorum.ts';
import people from './sources/people.ts';
import riskMatrix from './sources/risk_matrix.ts';
import seatVacancies from './sources/seat_vacancies.ts';
import selfAssessment from './sources/self_assessment.ts';
import shownUnit from './sources/shown_unit.ts';
import skillsCover from './sources/skills_cover.ts';
import unitComposition from './sources/unit_composition.ts';
import unitFindings from './sources/unit_findings.ts';
import unitMembers from './sources/unit_members.ts';
import unitQuestions from './sources/unit_questions.ts';
import unitRisks from './sources/unit_risks.ts';
import unitScorecard from './sources/unit_scorecard.ts';
import workPlan from './sources/work_plan.ts';
import { accountLinked } from './subscribers/account_linked.ts';
import { actionChanged } from './subscribers/action_changed.ts';
import { meetingChanged } from './subscribers/meeting_changed.ts';

const MEMBER_OF_UNIT = {
  type: 'object',
  properties: { member: { type: 'integer' }, unit: { type: 'integer' } },
} as const;

const module: Module = {
  name: 'board',
  actions: { all_in_favour: allInFavour, renew, start_charter: startCharter },
  effects: {
    ask_evaluation: askEvaluation,
    close_evaluation: closeEvaluation,
    count_evaluation: countEvaluation,
    give_actions: actionsGiven,
    invite,
    say,
    send_minutes: sendMinutes,
    seat_left: seatLeft,
    seat_taken: seatTaken,
    value_now: valueNow,
  },
  guards: {
    attended_later: attendedLater,
    consent_given: consentGiven,
    may_sit: maySit,
    rules_hold: rulesHold,
    seat_is_free: seatIsFree,
    votes_are_right: votesAreRight,
  },
  fills: {
    figure,
    meeting_facts: meetingFacts,
    meeting_votes: meetingVotes,
    seat_facts: seatFacts,
    term_end: termUntil,
  },
  sources: {
    answer_days: answerDays,
    attendance,
    clocks,
    decisions,
    latest_papers: latestPapers,
    meeting_actions: meetingActions,
    money,
    month_counts: monthCounts,
    my_actions: myActions,
    my_feedback: myFeedback,
    my_plans: myPlans,
    my_reading: myReading,
    my_score: myScore,
    my_work: myWork,
    overseen,
    quorum,
    people,
    risk_matrix: riskMatrix,
    seat_vacancies: seatVacancies,
    self_assessment: selfAssessment,
    shown_unit: shownUnit,
    skills_cover: skillsCover,
    unit_composition: unitComposition,
    unit_findings: unitFindings,
    unit_members: unitMembers,
    unit_questions: unitQuestions,
    unit_risks: unitRisks,
    unit_scorecard: unitScorecard,
    work_plan: workPlan,
  },
  jobs: {
    board_digest: boardDigest,
    open_disclosures: yearlyDisclosures,
    watch_deadlines: watchDeadlines,
    watch_rules: watchRules,
  },
  figures: recordFigures,
  emits: { tenure_started: MEMBER_OF_UNIT, tenure_ended: MEMBER_OF_UNIT },
  on: {
    'board_member.changed': accountLinked,
    'board_meeting.changed': meetingChanged,
    'act_checklists.task_ended': actionChanged,
    'chk_task_instance.reassign': actionChanged,
    'chk_task_instance.hand_over': actionChanged,
    'chk_task_instance.reschedule': actionChanged,
    'chk_task_instance.reopen': actionChanged,
  },
};
export default module;
