import { createContext } from 'react';
import type { ComponentType } from 'react';
import type { Field } from '../../../descriptor/types.ts';

/** What a page says below each field of its form, beside the help. */
export const FieldNoteContext = createContext<ComponentType<{ field: Field }> | null>(null);
