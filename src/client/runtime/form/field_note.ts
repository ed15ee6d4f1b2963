import { createContext } from 'react';
import type { ComponentType } from 'react';
import type { Field } from '../../../descriptor/types.ts';

/** The notes that a page shows below the fields of its form, beside the help. */
export const FieldNoteContext = createContext<ComponentType<{ field: Field }> | null>(null);
