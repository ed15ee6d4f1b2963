import { storedFileType } from './stored_file.ts';

export const signature = storedFileType('signature');
