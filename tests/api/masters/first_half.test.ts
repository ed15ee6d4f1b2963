import { walkLists } from './list_walk.ts';

walkLists(0);
