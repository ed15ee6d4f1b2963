import escalationsSent from '../modules/act/escalations_sent_report.ts';
import slaScore from '../modules/act_desk/sla_score_report.ts';
import ticketsReport, { holdingsReport, hoursReport } from '../modules/act_desk/tickets_report.ts';
import benchmarkPosition from '../modules/admin/benchmark_position_report.ts';
import boardActions from '../modules/board/reports/actions_report.ts';
import boardAttendance from '../modules/board/reports/attendance_report.ts';
import boardComposition from '../modules/board/reports/composition_report.ts';
import boardDeclarations from '../modules/board/reports/declarations_report.ts';
import boardInterests from '../modules/board/reports/interests_report.ts';
import boardQuestions from '../modules/board/reports/questions_report.ts';
import boardRegister from '../modules/board/reports/register_report.ts';
import boardSkills from '../modules/board/reports/skills_report.ts';
import boardTerms from '../modules/board/reports/terms_report.ts';
import campaignResult from '../modules/admin/campaign_result_report.ts';
import leadsFunnel from '../modules/admin/leads_funnel_report.ts';
import technicalChart from '../modules/fms_contracts/technical_chart_report.ts';
import buildingCalls from '../modules/fms_tickets/building_calls_report.ts';
import monthlyAttendance, { attendanceDays } from '../modules/fms_visits/attendance_report.ts';
import breakdownPm from '../modules/fms_visits/breakdown_pm_report.ts';
import dailyAttendance from '../modules/fms_visits/daily_attendance_report.ts';
import preventiveMaintenance from '../modules/fms_visits/preventive_maintenance_report.ts';
import visitCounts from '../modules/fms_visits/visit_counts_report.ts';
import competencyGap from '../modules/organisation/competency_gap_report.ts';
import delegationsInForce from '../modules/organisation/delegations_in_force_report.ts';
import headCountMovement from '../modules/organisation/head_count_movement_report.ts';
import spanOfControl from '../modules/organisation/span_of_control_report.ts';
import { cardReport, ledgerReport } from '../modules/fms_stores/reports/ledger_reports.ts';
import { stockVouchersReport } from '../modules/fms_stores/reports/stock_vouchers_report.ts';
import stockReport from '../modules/fms_stores/reports/stock_report.ts';
import {
  expiryReport,
  inTransitReport,
  purchaseReport,
  reorderReport,
  slowReport,
} from '../modules/fms_stores/reports/warehouse_reports.ts';
import { consumptionReport } from '../modules/fms_requests/consumption_report.ts';
import { faultyReport } from '../modules/fms_requests/faulty_report.ts';
import {
  repeatFailureMapReport,
  repeatFailureReport,
  turnaroundReport,
} from '../modules/fms_requests/request_reports.ts';
import technicianKitReport from '../modules/fms_stores/reports/technician_kit_report.ts';
import holidayCalendar from '../modules/platform/holiday_calendar_report.ts';
import accountingVouchers from '../modules/fms_money/accounting_vouchers_report.ts';
import gstr1 from '../modules/fms_money/gstr1_report.ts';
import outstanding from '../modules/fms_money/outstanding_report.ts';
import kpiCumulative from '../modules/performance/kpi_cumulative_report.ts';
import impactReport from '../modules/strategy/impact_report.ts';
import forecastAccuracy from '../modules/review/forecast_accuracy_report.ts';
import inventoryLines from '../modules/review/inventory_lines_report.ts';
import kpiRating from '../modules/performance/kpi_rating_report.ts';
import kpiStatus from '../modules/performance/kpi_status_report.ts';
import kpiTargetActual from '../modules/performance/kpi_target_actual_report.ts';
import kpiSummary from '../modules/performance/kpi_summary_report.ts';
import { ratingDistribution, ratingsByManager } from '../modules/performance/rating_distribution.ts';
import { scoreRanking, scoreSpread } from '../modules/performance/score_reports.ts';
import notificationDelivery from '../modules/platform/notification_delivery_report.ts';
import usersAndAccess from '../modules/platform/users_and_access_report.ts';
import weeklyActivity from '../modules/platform/weeklycountreport_report.ts';
import type { ReportSource } from '../engine/reports/report_source.ts';

/** The named functions that give the rows of reports (`"source"` of a report descriptor). */
export const reportSources: Readonly<Record<string, ReportSource>> = {
  accounting_vouchers: accountingVouchers,
  breakdown_pm: breakdownPm,
  building_calls: buildingCalls,
  technical_chart: technicalChart,
  daily_attendance: dailyAttendance,
  field_attendance: monthlyAttendance,
  attendance_days: attendanceDays,
  gstr1,
  preventive_maintenance: preventiveMaintenance,
  visit_counts: visitCounts,
  benchmark_position: benchmarkPosition,
  board_actions: boardActions,
  board_attendance: boardAttendance,
  board_composition: boardComposition,
  board_declarations: boardDeclarations,
  board_interests: boardInterests,
  board_questions: boardQuestions,
  board_register: boardRegister,
  board_skills: boardSkills,
  board_terms: boardTerms,
  campaign_result: campaignResult,
  competency_gap: competencyGap,
  delegations_in_force: delegationsInForce,
  escalations_sent: escalationsSent,
  head_count_movement: headCountMovement,
  holiday_calendar: holidayCalendar,
  kpi_cumulative: kpiCumulative,
  impact_detail: impactReport,
  forecast_accuracy: forecastAccuracy,
  inventory_lines: inventoryLines,
  kpi_rating: kpiRating,
  kpi_status: kpiStatus,
  kpi_summary: kpiSummary,
  kpi_target_actual: kpiTargetActual,
  score_ranking: scoreRanking,
  score_spread: scoreSpread,
  rating_distribution: ratingDistribution,
  ratings_by_manager: ratingsByManager,
  leads_funnel: leadsFunnel,
  notification_delivery: notificationDelivery,
  outstanding,
  consumption_by_lift: consumptionReport,
  faulty_status: faultyReport,
  repeat_failure: repeatFailureReport,
  repeat_failure_map: repeatFailureMapReport,
  request_turnaround: turnaroundReport,
  sla_score: slaScore,
  span_of_control: spanOfControl,
  stock_as_of: stockReport,
  stock_card: cardReport,
  stock_in_transit: inTransitReport,
  stock_expiry: expiryReport,
  stock_ledger_sums: ledgerReport,
  stock_purchases: purchaseReport,
  stock_reorder: reorderReport,
  stock_slow: slowReport,
  stock_vouchers: stockVouchersReport,
  technician_kit: technicianKitReport,
  ticket_holdings: holdingsReport,
  ticket_hours: hoursReport,
  tickets_report: ticketsReport,
  users_and_access: usersAndAccess,
  weeklycountreport: weeklyActivity,
};
