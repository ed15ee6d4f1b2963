/** The charts that are on the page, each with what makes its picture for paper (a data URL). */
export const printedCharts = new Map<Element, () => string>();
