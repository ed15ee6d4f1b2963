import { unitOf } from '../../../descriptor/money.ts';
import { Link } from '@fluentui/react-components';
import { ShieldErrorRegular } from '@fluentui/react-icons';
import { useCallback, useContext, useSyncExternalStore } from 'react';
import { formatValue } from '../../../descriptor/format.ts';
import type { Field } from '../../../descriptor/types.ts';
import { useForm, useValue } from '../form/form_context.ts';
import { isEmpty, sameValue } from '../form/values.ts';
import { SettingsContext, unsafeSettings } from './setting_sources.ts';
import styles from './settings.module.css';

/** A value in words: "25 MB", "Yes". */
export function settingWords(field: Field, value: unknown): string {
  const text = formatValue(field, value);
  return text === '' ? 'nothing' : unitOf(field) ? `${text} ${unitOf(field)}` : text;
}

/** Below a setting: where its value comes from, the reset button, and its risk. */
export default function SettingNote({ field }: { field: Field }) {
  const { store } = useForm();
  const value = useValue(field.name);
  const settings = useContext(SettingsContext);
  const unsafe = useSyncExternalStore(
    store.subscribe,
    useCallback(
      () =>
        field.risk !== undefined &&
        unsafeSettings(store.screen, store.values(), settings?.server ?? {}).some(
          (one) => one.field.name === field.name,
        ),
      [store, field, settings],
    ),
  );
  if (!settings) return null;
  const decision = settings.server[field.name];
  const { value: back, words } = settings.fallback(field);
  // An empty value also means the default.
  const fallen = isEmpty(value) || sameValue(field, value, back);
  const company = settings.company?.values[field.name];
  return (
    <div className={styles.note} data-unsafe={unsafe ? '' : undefined}>
      {unsafe && (
        <span className={styles.unsafe}>
          <ShieldErrorRegular aria-hidden /> Not safe
        </span>
      )}
      {decision?.value !== undefined ? (
        <span>
          This server decides it ({decision.by}): {settingWords(field, decision.value)}
        </span>
      ) : (
        <>
          <span>{fallen ? words : settings.own}</span>
          {!fallen && !settings.readOnly && (
            <Link as="button" type="button" className={styles.back} onClick={() => store.set({ [field.name]: back })}>
              Back to {settingWords(field, back)}
            </Link>
          )}
        </>
      )}
      {decision?.max !== undefined && (
        <span>
          This server takes {settingWords(field, decision.max)} at most ({decision.by})
        </span>
      )}
      {company !== undefined && (
        <span>
          {settings.company!.name}: {settingWords(field, company)}
        </span>
      )}
    </div>
  );
}
