interface ReviewEvent {
  code: string;
  name: string;
  title: string;
  body: string;
  mergedTitle?: string;
  groupMinutes?: number;
  module?: string;
  severity?: 'success' | 'warning' | 'error';
  channels?: { inApp: boolean; mail: boolean; push: boolean };
}

const WITH_MAIL = { inApp: true, mail: true, push: false };
const MAIL_ALONE = { inApp: false, mail: true, push: false };
const WITH_PUSH = { inApp: true, mail: false, push: true };

/** Notices about KPIs, appraisals and questions of the board. */
export function reviewEvents<Made>(event: (given: ReviewEvent) => Made): Made[] {
  const of = (given: ReviewEvent) => event({ module: 'performance', ...given });
  return [
    of({
      severity: 'warning',
      code: 'kpi.bot',
      channels: { inApp: true, mail: true, push: true },
      name: 'A bot reports a change of a KPI',
      title: '{bot}: {text}',
      body: '{bot}: {text}',
    }),
    of({
      code: 'stores.orders',
      name: 'What your store has to order',
      title: 'Order list of {day}',
      body: '{lists}',
      channels: WITH_MAIL,
    }),
    of({
      severity: 'warning',
      code: 'kpi.updates_due',
      name: 'KPI updates are due',
      title: 'KPI updates to enter: {count}, {due}',
      body: 'Enter the actuals of {kpis}.',
      channels: WITH_PUSH,
    }),
    of({
      severity: 'warning',
      code: 'kpi.updates_late',
      name: 'KPI updates of your team are late',
      title: 'Late KPI updates: {members}',
      body: 'Actuals not entered: {updates}.',
      channels: WITH_MAIL,
    }),
    of({
      severity: 'warning',
      code: 'kpi.period_closing',
      name: 'Entries of a KPI period have ended',
      title: 'Entries of {month} have ended',
      body: '{says}',
      channels: WITH_MAIL,
    }),
    of({
      code: 'kpi.period_frozen',
      name: 'A KPI period is frozen',
      title: 'KPIs of {month} are frozen',
      body: '{says}',
      channels: WITH_MAIL,
    }),
    of({
      code: 'kpi.sheet_approved',
      name: 'Your KPI sheet is approved',
      title: 'KPI sheet {number} is approved',
      body: 'Open it and acknowledge it, or say what is wrong.',
      channels: WITH_MAIL,
    }),
    of({
      code: 'kpi.sheet_counts',
      name: 'A KPI sheet counts as acknowledged',
      title: 'KPI sheet {number} counts as acknowledged',
      body: 'Nobody acknowledged or disputed it until {until}.',
      channels: WITH_MAIL,
    }),
    of({
      severity: 'warning',
      code: 'kpi.sheet_disputed',
      name: 'A member disputes a KPI sheet',
      title: 'KPI sheet {number} is disputed',
      body: 'Open it to read why. Change or revise it, or talk to the member.',
      channels: WITH_MAIL,
    }),
    of({
      severity: 'warning',
      code: 'kpi.update_reopened',
      name: 'Your KPI update is reopened',
      title: '{kpi} of {month} is to be entered again',
      body: 'Open it to read why, correct the figure and submit it.',
      channels: WITH_PUSH,
    }),
    of({
      code: 'idp.waiting',
      name: 'A development plan is waiting for you',
      title: 'The development plan of {member} is waiting for your approval',
      body: 'Open it to approve or return it.',
    }),
    of({
      code: 'incentive.approved',
      name: 'Your incentive is approved',
      title: 'Your incentive of {month} is approved',
      body: 'It is paid with the pay of {pay_month}. Open it to see how it was computed.',
      channels: WITH_MAIL,
    }),
    of({
      code: 'incentive.statement',
      name: 'Your incentive statement',
      title: 'Your incentive statement of {month}',
      body: 'The statement is attached. The amount is paid with the pay of {pay_month}.',
      channels: WITH_MAIL,
    }),
    of({
      code: 'incentive.exported',
      name: 'Incentives are handed to payroll',
      title: 'Incentives of {month} for the pay of {pay_month}',
      body: '{run}: {amount} for {members} members. The payroll file is in the run. Mark it as paid afterwards.',
      channels: WITH_MAIL,
    }),
    of({
      code: 'kpi.feedback',
      name: 'Feedback on your KPIs',
      title: 'Feedback for {member}',
      body: 'Open it to read and answer it.',
      channels: WITH_PUSH,
    }),
    of({
      code: 'kpi.feedback_asked',
      name: 'A colleague asks for your feedback',
      title: '{member} asks for your feedback on {kpi}',
      body: 'Open it to give feedback until {due}, or to decline.',
      channels: WITH_PUSH,
    }),
    of({
      code: 'kpi.feedback_declined',
      name: 'A colleague gives no feedback',
      title: '{asked} gives no feedback on {kpi}',
      body: 'Open it to read why.',
    }),
    of({
      code: 'kpi.feedback_answered',
      name: 'Your feedback is answered',
      title: 'Your feedback for {member} is answered',
      body: 'Open it to read the answer.',
    }),
    of({
      code: 'appraisal.waiting',
      name: 'An appraisal is waiting for you',
      title: 'The appraisal of {member} is waiting for you',
      mergedTitle: '{count} appraisals are waiting for you',
      groupMinutes: 120,
      body: 'Appraisal {number} is due on {due}.',
      channels: { inApp: true, mail: true, push: true },
    }),
    of({
      severity: 'warning',
      code: 'appraisal.reopened',
      name: 'A stage of an appraisal is reopened',
      title: 'The {stage} of {member} is open again until {due}',
      mergedTitle: '{count} appraisals are open again',
      groupMinutes: 120,
      body: 'Appraisal {number}: {reason}',
      channels: WITH_MAIL,
    }),
    of({
      code: 'appraisal.released',
      name: 'Your appraisal is released',
      title: 'Your appraisal {number} is released',
      body: 'Open it to see the result. Acknowledge it until {due}.',
      channels: WITH_MAIL,
    }),
    of({
      severity: 'warning',
      code: 'appraisal.appealed',
      name: 'A member appeals against an appraisal',
      title: '{member} appeals against appraisal {number}',
      body: 'Open it to read the reason.',
      channels: WITH_MAIL,
    }),
    of({
      code: 'appraisal.decided',
      name: 'Your appeal is decided',
      title: 'Your appeal against appraisal {number} is decided',
      body: 'Open it to read the answer.',
      channels: WITH_MAIL,
    }),
    event({
      code: 'board.question',
      name: 'A question about a figure of the board',
      title: 'Question about {figure}',
      body: '{question}',
      channels: WITH_PUSH,
    }),
    event({
      code: 'board.answer',
      name: 'Your question is answered',
      title: 'Answer to your question about {figure}',
      body: 'Open it to read the answer. Close the question, or ask again.',
    }),
    event({
      code: 'board.declaration_late',
      severity: 'warning',
      name: 'A declaration of a member of the board is late',
      title: 'Declaration {number} of {member} is late',
      body: 'Remind the member, or record it when it has come.',
    }),
    event({
      code: 'board.welcome',
      name: 'Welcome pack of a new member of the board',
      title: 'Welcome to {unit}',
      body: '{pack}',
      channels: WITH_MAIL,
    }),
    event({
      code: 'board.digest',
      name: 'Monday digest of the board',
      title: 'Board digest of {day}',
      body: '{summary}',
      channels: MAIL_ALONE,
    }),
  ];
}
