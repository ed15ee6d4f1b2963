import { circleOf, kpiFormula, likeliest } from '../../../../domain/performance/kpi_formula.ts';
import type { Fill } from '../../../engine/modules.ts';

/** What is wrong with the formula of a calculated KPI: it cannot be read, names no KPI, or comes back to itself (§5.8, §10). */
export const formulaProblem: Fill = {
  async run({ unit, record }) {
    if (record.source !== 'formula' || typeof record.formula !== 'string') return { formula_problem: null };
    const formula = kpiFormula(record.formula);
    if ('wrong' in formula) return { formula_problem: formula.wrong };
    const alone = formula.looks.find(({ view }) => view !== 'value' && view !== 'target');
    if (record.period_aggregation === 'formula' && alone)
      return {
        formula_problem: `${alone.view}(${alone.code}) looks at single months. Choose another way in which the year follows from its periods.`,
      };
    const kpis = await unit.query<{ code: string; formula: string | null }>(
      `select code, case when source = 'formula' then formula end as formula from {kpi} where active`,
    );
    const own = String(record.code ?? '');
    const known = [...kpis.map(({ code }) => code), own];
    const unknown = formula.looks.find(({ code }) => !known.includes(code));
    if (unknown) {
      const like = likeliest(unknown.code, known);
      return { formula_problem: `There is no KPI ${unknown.code}.${like === null ? '' : ` Did you mean ${like}?`}` };
    }
    // A look at another month or at the team never comes back to the same figure.
    const usesOf = (text: string) => {
      const read = kpiFormula(text);
      const isNow = ({ view }: { view: string }) => view === 'value' || view === 'ytd' || view.endsWith('_of');
      return 'wrong' in read ? [] : read.looks.filter(isNow).map(({ code }) => code);
    };
    const uses = new Map(kpis.flatMap(({ code, formula: text }) => (text === null ? [] : [[code, usesOf(text)]])));
    uses.set(own, usesOf(record.formula));
    const circle = circleOf(own, uses);
    return { formula_problem: circle && `${own} uses itself: ${circle.join(' → ')}.` };
  },
};
