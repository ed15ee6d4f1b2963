import type { Module } from '../../engine/modules.ts';
import { draftNextManual } from './effects/draft_next_manual.ts';
import { hearRecording } from './effects/hear_recording.ts';
import { nameSyncRun } from './effects/name_sync_run.ts';
import { notifyReaders } from './effects/notify_readers.ts';
import { queueSyncRun } from './effects/queue_sync_run.ts';
import { replacePrintDesigns } from './effects/replace_print_designs.ts';
import { showOnSyncJob } from './effects/show_on_sync_job.ts';
import { showRecordingStep } from './effects/show_recording_step.ts';
import { supersedeManuals } from './effects/supersede_manuals.ts';
import { takeInRecording } from './effects/take_in_recording.ts';
import { manualHasChapters } from './guards/manual_has_chapters.ts';
import { recordingCanBeHeard } from './guards/recording_can_be_heard.ts';
import { syncJobCanRun } from './guards/sync_job_can_run.ts';

const module: Module = {
  name: 'platform',
  effects: {
    draft_next_manual: draftNextManual,
    hear_recording: hearRecording,
    name_sync_run: nameSyncRun,
    notify_readers: notifyReaders,
    queue_sync_run: queueSyncRun,
    replace_print_designs: replacePrintDesigns,
    show_on_sync_job: showOnSyncJob,
    show_recording_step: showRecordingStep,
    supersede_manuals: supersedeManuals,
    take_in_recording: takeInRecording,
  },
  guards: {
    manual_has_chapters: manualHasChapters,
    recording_can_be_heard: recordingCanBeHeard,
    sync_job_can_run: syncJobCanRun,
  },
  jobs: ['sync_run', 'transcribe', 'transcription_retention'],
};
export default module;
