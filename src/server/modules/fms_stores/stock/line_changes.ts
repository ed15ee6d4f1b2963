type Row = Record<string, unknown>;

/** Columns of lines as a change of a document takes them, also those that people only read. */
export function lineChanges(lines: readonly Row[], ...columns: string[]): { set: Record<string, Row> } {
  return {
    set: Object.fromEntries(
      lines.map((line) => [String(line.id), Object.fromEntries(columns.map((name) => [name, line[name] ?? null]))]),
    ),
  };
}
