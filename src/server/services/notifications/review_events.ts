interface ReviewEvent {
  code: string;
  name: string;
  title: string;
  body: string;
  module?: string;
  severity?: 'success' | 'warning' | 'error';
}

/** What bots tell people of their KPIs. */
export function reviewEvents<Made>(event: (given: ReviewEvent) => Made): Made[] {
  return [
    event({
      module: 'performance',
      severity: 'warning',
      code: 'kpi.bot',
      name: 'A bot reports a change of a KPI',
      title: '{bot}: {text}',
      body: '{bot}: {text}',
    }),
  ];
}
