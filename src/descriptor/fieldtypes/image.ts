import { storedFileType } from './stored_file.ts';

export const image = storedFileType('image');
