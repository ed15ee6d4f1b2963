type Row = Record<string, unknown>;

/** Columns of lines in the form of a change of their document, including read-only ones. */
export function lineChanges(lines: readonly Row[], ...columns: string[]): { set: Record<string, Row> } {
  return {
    set: Object.fromEntries(
      lines.map((line) => [String(line.id), Object.fromEntries(columns.map((name) => [name, line[name] ?? null]))]),
    ),
  };
}
