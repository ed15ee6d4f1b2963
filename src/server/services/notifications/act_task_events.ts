interface Channels {
  inApp: boolean;
  mail: boolean;
  push: boolean;
}

interface TaskEvent {
  code: string;
  name: string;
  title: string;
  body: string;
  module?: string;
  mergedTitle?: string;
  groupMinutes?: number;
  severity?: 'success' | 'warning' | 'error';
  channels?: Channels;
}

const TASK = '{task}\n{from}\n\nDue {due}.';

/** What people learn of tasks: of checklists, cases, filings and their own. */
export function actTaskEvents<Made>(event: (given: TaskEvent) => Made, both: Channels): Made[] {
  const of = (given: TaskEvent) => event({ module: 'act', channels: { ...both, push: true }, ...given });
  return [
    of({
      code: 'task.opened',
      name: 'New tasks for you',
      title: '{count} tasks to do',
      body: '{count} tasks have opened for you. The first is due {due}.',
      channels: { inApp: true, mail: false, push: true },
    }),
    of({
      code: 'task.morning',
      name: 'Your tasks of the day',
      title: 'Tasks of today: {summary}',
      body: '{tasks}',
      channels: { inApp: false, mail: true, push: false },
    }),
    of({
      code: 'task.reshifted',
      name: 'Tasks have moved with the holidays',
      title: '{count} tasks of {checklist} have moved',
      body: 'Holidays or week-offs have changed. {count} tasks of {checklist} that had not been started have new dates.',
      channels: { inApp: true, mail: false, push: false },
    }),
    of({
      code: 'task.handed_over',
      name: 'Tasks of a leaver or mover are assigned to you',
      title: '{count} tasks of {person} are assigned to you',
      body: '{person} has left or moved. {count} tasks are now assigned to you.',
    }),
    of({
      code: 'template.updated',
      name: 'A template has a new version',
      title: 'New version of the template of {checklist}',
      body: 'The template of {checklist} has version {version}. Nothing changes until you accept it.',
    }),
    of({
      code: 'template.applied',
      name: 'A mandatory date of a template has changed',
      title: 'New dates of {checklist}',
      body: 'Version {version} of its template has a mandatory date that applies now: {tasks}. Other changes wait until you accept them.',
    }),
    of({
      code: 'template.retired',
      name: 'A template is no longer offered',
      title: 'The template of {checklist} is no longer offered',
      body: 'The template {template} was retired. {checklist} goes on as it is and gets no new versions.',
    }),
    of({
      code: 'act.applies',
      name: 'An act now applies to the company',
      title: '{act} now applies',
      body: '{act} now applies to the company: {company}. Check its returns and adopt its checklists.',
      severity: 'warning',
    }),
    of({
      code: 'act.no_longer',
      name: 'An act no longer applies to the company',
      title: '{act} no longer applies',
      body: '{act} no longer applies to the company: {company}. No further filings are created; existing ones stay. {next}',
    }),
    of({ code: 'task.assigned', name: 'A task is assigned to you', title: 'Assigned to you: {task}', body: TASK }),
    of({
      code: 'workflow.rule',
      name: 'Message from a workflow rule',
      title: '{text}',
      body: '{text}\n\n{record}\n\nSent by the rule {rule}.',
    }),
    of({
      code: 'task.submitted',
      name: 'A task is waiting for your approval',
      title: 'To approve: {task}',
      body: `${TASK}\n\n{person} has submitted it.`,
      groupMinutes: 10,
      mergedTitle: '{count} tasks to approve',
    }),
    of({
      code: 'task.returned',
      name: 'A task was returned to you',
      title: 'Returned: {task}',
      body: `${TASK}\n\n{person}: {reason}`,
      severity: 'warning',
    }),
    of({
      code: 'task.na_asked',
      name: 'A task is reported as not applicable',
      title: 'Does it apply? {task}',
      body: `${TASK}\n\n{person}: {reason}`,
    }),
    of({
      code: 'task.moved',
      name: 'The date of a task has moved',
      title: 'Moved to {due}: {task}',
      body: `${TASK}\n\n{person}: {reason}`,
    }),
    of({
      code: 'checklist.attention',
      name: 'A checklist needs its owner’s attention',
      title: '{checklist}: {what}',
      body: '{checklist}\n\n{text}',
      severity: 'warning',
    }),
  ];
}
