import type { ComponentType } from 'react';
import type { BespokeProps } from './bespoke_props.ts';

type Load = () => Promise<{ default: ComponentType<BespokeProps> }>;

/** The pages that are code, by address; who may open them says schemas/pages.json. Each is a chunk of its own. */
export const bespokePages: Record<string, Load> = {
  '/activity_log': () => import('./platform/ActivityLogPage.tsx'),
  '/approval_process/try': () => import('./platform/ApprovalTryPage.tsx'),
  '/brand/preview/:id': () => import('./platform/BrandPreviewPage.tsx'),
  '/brand_setting/preview': () => import('./platform/BrandPreviewPage.tsx'),
  '/client/state/:id': () => import('./platform/ClientStatePage.tsx'),
  '/media_page': () => import('./platform/MediaPage.tsx'),
  '/holiday/year': () => import('./platform/HolidayYearPage.tsx'),
  '/holiday/copy': () => import('./platform/HolidayCopyPage.tsx'),
  '/weekoff/preview/:id': () => import('./platform/WeekOffPreviewPage.tsx'),
  '/dashboard_landing': () => import('./platform/DashboardsPage.tsx'),
  '/common_rights': () => import('./platform/CommonRightsPage.tsx'),
  '/core_account': () => import('./platform/AccountPage.tsx'),
  '/forgotpassword_profile': () => import('./platform/AccountPage.tsx'),
  '/usermanual_view/:batch_value': () => import('./platform/ManualPage.tsx'),
  '/usermanual_edit/:batch_value/:id': () => import('./platform/ManualEditPage.tsx'),
  '/AI_Transcription/play/:id': () => import('./platform/TranscriptionPage.tsx'),
  '/module_rights/:id': () => import('./platform/RightsPage.tsx'),
  '/screen_rights/:id': () => import('./platform/RightsPage.tsx'),
  '/user_rights/:id': () => import('./platform/UserRightsPage.tsx'),
  '/password_portal': () => import('./platform/PasswordPortalPage.tsx'),
  '/oro_to_postgres': () => import('./platform/OroJobsPage.tsx'),
  '/alagar_dashboard_sync': () => import('./platform/AlagarJobsPage.tsx'),
  '/jobs': () => import('./platform/JobsPage.tsx'),
  '/esclation/preview/:id': () => import('./platform/EscalationPreviewPage.tsx'),
  '/mail_config_setting/test/:id': () => import('./platform/MailTestPage.tsx'),
  '/mail_template/preview/:id': () => import('./platform/MessagePreviewPage.tsx'),
  '/notifications': () => import('./platform/NotificationsPage.tsx'),
  '/My_profile': () => import('./platform/MyProfilePage.tsx'),
  '/profile': () => import('./platform/MyProfilePage.tsx'),
  '/Calendar': () => import('./platform/CalendarPage.tsx'),
  '/reports': () => import('../runtime/report/ReportsPage.tsx'),
  '/reports/own/:id': () => import('../runtime/report/OwnReportPage.tsx'),
  '/reports/build': () => import('../runtime/report/BuilderPage.tsx'),
  '/team_list': () => import('./platform/TeamPage.tsx'),
  '/employee_mstr/leave/:id': () => import('./platform/LeavingPage.tsx'),
  '/employee_mstr/reporting': () => import('./platform/ReportingPage.tsx'),
};
