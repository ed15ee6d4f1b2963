import { createStore } from '../store.ts';

/** The group with which the card menu opens; null = all. */
export const cardGroup = createStore<string | null>(null);
