/** A column's title; `wide`: left out on a phone, by the table's style. `unseen`: a title for those who do not see it. */
export type Column = string | { wide: string } | { unseen: string };

/** The heads of a table's columns. */
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
