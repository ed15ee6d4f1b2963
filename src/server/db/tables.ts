/** Names of a record type's tables and columns, for statements. */
export { bareTable, childTable, tableName, treeTable } from './names.ts';
