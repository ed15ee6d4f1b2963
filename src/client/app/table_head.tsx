/** A column's title; `wide`: hidden on a phone, by the table's style. `unseen`: a title for screen readers. */
export type Column = string | { wide: string } | { unseen: string };

/** The headings of a table's columns. */
export function TableHead({ columns }: { columns: Column[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          if (typeof column === 'string')
            return (
              <th key={column} scope="col">
                {column}
              </th>
            );
          return 'wide' in column ? (
            <th key={column.wide} scope="col" data-wide>
              {column.wide}
            </th>
          ) : (
            <th key={column.unseen} scope="col" aria-label={column.unseen} />
          );
        })}
      </tr>
    </thead>
  );
}
