import { storedFileType } from './stored_file.ts';

export const file = storedFileType('file');
