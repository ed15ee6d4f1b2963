import type { Module } from '../../engine/modules.ts';
import { draftNextManual } from './effects/draft_next_manual.ts';
import { hearRecording } from './effects/hear_recording.ts';
import { nameSyncRun } from './effects/name_sync_run.ts';
import { notifyReaders } from './effects/notify_readers.ts';
import { queueSyncRun } from './effects/queue_sync_run.ts';
import { readmitUser } from './effects/readmit_user.ts';
import { replacePrintDesigns } from './effects/replace_print_designs.ts';
import { showOnSyncJob } from './effects/show_on_sync_job.ts';
import { showRecordingStep } from './effects/show_recording_step.ts';
import { supersedeManuals } from './effects/supersede_manuals.ts';
import { takeInRecording } from './effects/take_in_recording.ts';
import { notifyManagers } from './effects/notify_managers.ts';
import { manualHasChapters } from './guards/manual_has_chapters.ts';
import { recordingCanBeHeard } from './guards/recording_can_be_heard.ts';
import { syncJobCanRun } from './guards/sync_job_can_run.ts';
import { activityCount } from './jobs/activity_count.ts';
import { auditRetention } from './jobs/audit_retention.ts';
import { auditVerify } from './jobs/audit_verify.ts';
import { devicePrune } from './jobs/device_prune.ts';
import { digest } from './jobs/digest.ts';
import { escalation } from './jobs/escalation.ts';
import { holidayRoll } from './jobs/holiday_roll.ts';
import { referenceLists } from './jobs/reference_lists.ts';
import { reportMail } from './jobs/report_mail.ts';
import { retention } from './jobs/retention.ts';
import { sessionExpiring } from './jobs/session_expiring.ts';
import { sessionSweep } from './jobs/session_sweep.ts';
import { treeVerify } from './jobs/tree_verify.ts';
import { userValidity } from './jobs/user_validity.ts';

const module: Module = {
  name: 'platform',
  effects: {
    draft_next_manual: draftNextManual,
    hear_recording: hearRecording,
    name_sync_run: nameSyncRun,
    notify_readers: notifyReaders,
    queue_sync_run: queueSyncRun,
    readmit_user: readmitUser,
    replace_print_designs: replacePrintDesigns,
    show_on_sync_job: showOnSyncJob,
    show_recording_step: showRecordingStep,
    supersede_manuals: supersedeManuals,
    take_in_recording: takeInRecording,
    notify_managers: notifyManagers,
  },
  guards: {
    manual_has_chapters: manualHasChapters,
    recording_can_be_heard: recordingCanBeHeard,
    sync_job_can_run: syncJobCanRun,
  },
  jobs: {
    session_sweep: sessionSweep,
    retention,
    session_expiring: sessionExpiring,
    user_validity: userValidity,
    reference_lists: referenceLists,
    tree_verify: treeVerify,
    audit_verify: auditVerify,
    audit_retention: auditRetention,
    device_prune: devicePrune,
    digest,
    report_mail: reportMail,
    holiday_roll: holidayRoll,
    activity_count: activityCount,
    escalation,
  },
  stepJobs: [
    'sync_run',
    'transcribe',
    'transcription_retention',
    'password',
    'employee_left',
    'support_agreed',
    'support_ended',
  ],
};
export default module;
