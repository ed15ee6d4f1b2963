/** The charts on the page, each with the function that creates its picture for printing (a data URL). */
export const printedCharts = new Map<Element, () => string>();
