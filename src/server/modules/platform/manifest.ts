import type { Module } from '../../engine/modules.ts';
import { hearRecording } from './effects/hear_recording.ts';
import { nameSyncRun } from './effects/name_sync_run.ts';
import { queueSyncRun } from './effects/queue_sync_run.ts';
import { showOnSyncJob } from './effects/show_on_sync_job.ts';
import { showRecordingStep } from './effects/show_recording_step.ts';
import { takeInRecording } from './effects/take_in_recording.ts';
import { recordingCanBeHeard } from './guards/recording_can_be_heard.ts';
import { syncJobCanRun } from './guards/sync_job_can_run.ts';

const module: Module = {
  name: 'platform',
  effects: {
    hear_recording: hearRecording,
    name_sync_run: nameSyncRun,
    queue_sync_run: queueSyncRun,
    show_on_sync_job: showOnSyncJob,
    show_recording_step: showRecordingStep,
    take_in_recording: takeInRecording,
  },
  guards: { recording_can_be_heard: recordingCanBeHeard, sync_job_can_run: syncJobCanRun },
  jobs: ['sync_run', 'transcribe', 'transcription_retention'],
};
export default module;
