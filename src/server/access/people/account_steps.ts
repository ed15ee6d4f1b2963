/** Whether a person may sign in, as the account says. */
type AccountStatus = 'invited' | 'active' | 'disabled';

/**
 * The only ways between the states of an account. They are no `workflow` of the descriptor: where "enable" leads depends
 * on whether the person has a password, and the form and sheets of users set the state as a field.
 */
const STEPS: readonly { from: readonly AccountStatus[]; to: AccountStatus }[] = [
  // The link of the invitation was used, or an administrator gave a password.
  { from: ['invited'], to: 'active' },
  // By an administrator, by the last day of validity, by leaving, by the end of support.
  { from: ['invited', 'active'], to: 'disabled' },
  { from: ['disabled'], to: 'active' },
  // Enabled without ever having had a password.
  { from: ['disabled'], to: 'invited' },
];

/** Whether an account comes from one state to another by a step. */
export function leadsTo(from: unknown, to: unknown): boolean {
  return from === to || STEPS.some((step) => (step.from as readonly unknown[]).includes(from) && step.to === to);
}

/** Where enabling an account leads. */
export function enabledAs(hasPassword: boolean): AccountStatus {
  return hasPassword ? 'active' : 'invited';
}
