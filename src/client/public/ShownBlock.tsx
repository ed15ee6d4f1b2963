import type { PublicBlock } from '../../descriptor/public_page.ts';

/** A displayed part of the record: fields with labels, a table of rows, or a paragraph. */
export function ShownBlock({ block }: { block: PublicBlock }) {
  if (block.kind === 'text') return <p className={block.bold ? 'strong' : undefined}>{block.text}</p>;
  if (block.kind === 'box')
    return (
      <dl className="shown">
        {block.entries.map(({ title, text }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    );
  const { title, columns, groups, sums } = block;
  const sumsRow = (values: string[], key: string) => (
    <tr key={key} className="sums">
      {values.map((value, at) => (
        <td key={at} className={columns[at]!.align}>
          {value}
        </td>
      ))}
    </tr>
  );
  return (
    <div className="wide" tabIndex={0} role="region" aria-label={title ?? 'Table'}>
      <table>
        {title !== null && <caption>{title}</caption>}
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={column.align}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.flatMap((group, index) => [
            ...(group.title === null
              ? []
              : [
                  <tr key={`${index} head`}>
                    <th scope="rowgroup" colSpan={columns.length} className="left">
                      {group.title}
                    </th>
                  </tr>,
                ]),
            ...group.rows.map((row, at) => (
              <tr key={`${index} ${at}`}>
                {row.map((value, column) => (
                  <td key={column} className={columns[column]!.align}>
                    {value}
                  </td>
                ))}
              </tr>
            )),
            ...(group.sums ? [sumsRow(group.sums, `${index} sums`)] : []),
          ])}
          {sums && sumsRow(sums, 'sums')}
        </tbody>
      </table>
    </div>
  );
}
