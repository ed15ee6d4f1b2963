import { createStore } from '../store.ts';

/** The group the card menu opens with; null = all. */
export const cardGroup = createStore<string | null>(null);
