import type { JsonSchema } from './types.ts';

/** What the check of descriptors has to know of a function of a module. */
export interface KnownFunction {
  /** The form of what a descriptor hands it. */
  args?: JsonSchema;
  /** It can be taken back. */
  reverses?: boolean;
}

/** The names of the server's functions by what they are used for; what is absent is not checked. */
export interface FunctionNames {
  reports?: ReadonlySet<string>;
  /** Those that give the rows of tiles. */
  sources?: ReadonlySet<string>;
  guards?: ReadonlySet<string>;
  effects?: ReadonlySet<string>;
  fills?: ReadonlySet<string>;
  actions?: ReadonlySet<string>;
  /** Events that modules emit. */
  events?: ReadonlySet<string>;
  targets?: ReadonlySet<string>;
  /** Jobs that take steps of records. */
  jobs?: ReadonlySet<string>;
  /** Functions that jobs.json names, with what they are handed. */
  scheduled?: ReadonlyMap<string, { args?: JsonSchema }>;
  /** Events that people are notified of. */
  notices?: ReadonlySet<string>;
  /** What is known of effects and guards beside their names. */
  described?: Record<'effects' | 'guards', ReadonlyMap<string, KnownFunction>>;
}

/** What functions are used for. */
export type FunctionKind = Exclude<keyof FunctionNames, 'described' | 'scheduled'>;
