export { RowsWidget as default } from './RowsSheet.tsx';
