import competencyGap from './modules/organisation/competency_gap_report.ts';
import headCountMovement from './modules/organisation/head_count_movement_report.ts';
import spanOfControl from './modules/organisation/span_of_control_report.ts';
import notificationDelivery from './modules/platform/notification_delivery_report.ts';
import usersAndAccess from './modules/platform/users_and_access_report.ts';
import weeklyActivity from './modules/platform/weeklycountreport_report.ts';
import type { ReportSource } from './reports/report_source.ts';

/** The named functions that give the rows of reports (`"source"` of a report descriptor). */
export const reportSources: Readonly<Record<string, ReportSource>> = {
  competency_gap: competencyGap,
  head_count_movement: headCountMovement,
  notification_delivery: notificationDelivery,
  span_of_control: spanOfControl,
  users_and_access: usersAndAccess,
  weeklycountreport: weeklyActivity,
};
