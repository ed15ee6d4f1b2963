/**
 * Writes a workbook of contracts: node workbook.ts FILE PREFIX ROWS. In a process of its own, since what it leaves in
 * memory would be collected while the bench measures.
 */
import { writeFileSync } from 'node:fs';
import * as XLSX from 'xlsx';

const [file, prefix, rows] = process.argv.slice(2) as [string, string, string];
const sheet = XLSX.utils.aoa_to_sheet([
  ['Number', 'Title', 'Branch', 'Customer', 'Lift make', 'Status', 'Amount', 'Quantity', 'Start', 'Remarks'],
  ...Array.from({ length: Number(rows) }, (_, index) => [
    `${prefix}/${index}`,
    `Imported ${index}`,
    'Chennai',
    `C${(index % 20_000) + 1}`,
    `M${(index % 200) + 1}`,
    'Active',
    index * 1.25,
    index % 50,
    new Date(Date.UTC(2025, index % 12, 1 + (index % 28))),
    'From a sheet',
  ]),
]);
const book = XLSX.utils.book_new();
XLSX.utils.book_append_sheet(book, sheet, 'Sheet1');
writeFileSync(file, XLSX.write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer);
