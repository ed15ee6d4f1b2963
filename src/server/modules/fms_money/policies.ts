import { AGEING_DAYS } from '../../../domain/fms/ageing.ts';

/** `BILLING`: numbering, tax and creation of a branch's bills. */
export interface BillingPolicy {
  bill_series?: string;
  note_series?: string;
  e_invoice?: boolean;
  lut_no?: string;
  round_to_rupee?: boolean;
  auto_post?: boolean;
  proforma_first?: boolean;
}
export type Grouping = 'contract' | 'building' | 'customer';

/** `COLLECTION`: ageing, reminders and credit stops. */
export interface CollectionPolicy {
  ageing_days?: number[];
  dunning?: { after_days?: number; by?: string }[];
  credit_hold_days?: number;
  cash_day_limit?: number;
}

/** `PERIOD`: the last closed day, and how far back a document may be dated. */
export interface PeriodPolicy {
  locked_to?: string;
  backdate_days?: number;
}

/** The limits of the age bands, in days. */
export const ageingDays = ({ ageing_days: days }: CollectionPolicy): readonly number[] =>
  days !== undefined && days.length > 0 ? days : AGEING_DAYS;
