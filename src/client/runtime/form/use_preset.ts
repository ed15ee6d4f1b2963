import { useEffect } from 'react';
import { applyChoice } from '../fields/reference/apply_choice.ts';
import { fetchOptions } from '../fields/reference/option_calls.ts';
import type { FormController } from './use_form.ts';
import type { Values } from './values.ts';
import { isEmpty } from './values.ts';

/**
 * What the records bring along that a new record begins with by its address, such as the branch of a customer: as if
 * somebody had chosen them, but nothing is typed yet, so that leaving the form loses nothing.
 */
export function usePreset({ host, store }: FormController, preset: Values | null): void {
  useEffect(() => {
    if (preset === null) return;
    const { fields } = store.screen;
    const copies = fields.filter(({ fetch }) => fetch);
    const follow = async (name: string, id: number) => {
      const field = fields.find((one) => one.name === name)!;
      const [found] = await fetchOptions(host, field, { ids: [id], limit: 1 });
      if (!found || store.values()[name] !== id) return;
      await applyChoice(host, field, found);
      const now = store.values();
      const names = [name, ...copies.map((one) => one.name)].flatMap((one) => [one, `${one}__label`]);
      store.rebase(Object.fromEntries(names.flatMap((one) => (one in now ? [[one, now[one]]] : []))), {});
    };
    const given = fields.filter(
      ({ name, type }) =>
        type === 'ref' &&
        typeof preset[name] === 'number' &&
        copies.some((one) => one.fetch!.via === name && isEmpty(store.values()[one.name])),
    );
    for (const { name } of given) {
      // Where it is not known what comes along, the person fills it in.
      const settled = follow(name, preset[name] as number)
        .catch(() => undefined)
        .finally(() => host.awaited?.delete(settled));
      host.awaited?.add(settled);
    }
  }, [host, store, preset]);
}
