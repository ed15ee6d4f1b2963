import type { Job, LibraryRecord } from '../../../engine/modules.ts';
import { asOwnTemplate } from '../common_template.ts';

const TYPE = 'chk_template';
const PER_STEP = 20;

interface Own {
  id: number;
  version: number;
  code: string;
  common_version: number | null;
  state: string;
}

/**
 * Keeps the platform's templates in the client's library: new ones are added, a newer version replaces the one before,
 * and what the platform no longer offers can no longer be adopted. Checklists that were made of them follow only when
 * somebody accepts it. A code that the client uses for a template of its own stays the client's.
 */
export const commonTemplates: Job = {
  elevated: true,
  async run({ actor: { tenant }, services, each }) {
    const all = await services.libraryRecords(tenant, 'admin_chk_template');
    const codeOf = new Map((await services.libraryRecords(tenant, 'admin_desig')).map(({ id, code }) => [id, code]));
    const offered = new Map(all.map((one) => [one.code, one]));
    const said = { added: 0, renewed: 0, withdrawn: 0, kept: 0 };
    // First those that are no longer offered, by id; then the offers, by code.
    await each<{ withdraw?: Own; offer?: LibraryRecord; own?: Own }>(
      async (unit, after) => {
        const own = await unit.query<Own>(
          `select id, version, code, common_version, state from {chk_template} where active and is_current order by id`,
        );
        const byCode = new Map(own.map((one) => [one.code, one]));
        const gone = own
          .filter(({ common_version: v, state, code }) => v !== null && state === 'published' && !offered.has(code))
          .map((withdraw) => ({ withdraw }));
        const due = all
          .filter(({ code }) => typeof after !== 'string' || code > after)
          .toSorted((a, b) => (a.code < b.code ? -1 : 1))
          .map((offer) => ({ offer, own: byCode.get(offer.code) }));
        return [...gone, ...due].slice(0, PER_STEP);
      },
      async (person, batch) => {
        const unit = person.elevated();
        let last: string | null = null;
        const named = await unit.query<{ id: number; name: string }>(
          `select u.id, lower(x.name) as name from {uom} u cross join lateral unnest(array[u.name, u.code]) x(name) where u.active order by u.id desc`,
        );
        const units = new Map(named.map(({ id, name }) => [name, id]));
        for (const { withdraw, offer, own } of batch) {
          if (withdraw) {
            await unit.takeAuto(TYPE, withdraw.id, 'withdraw');
            said.withdrawn++;
          }
          if (!offer) continue;
          last = offer.code;
          const offers = Number(offer.values.version_no ?? 0);
          if (own && (own.common_version === null || own.common_version >= offers)) {
            if (own.common_version === null) said.kept++;
            continue;
          }
          const [of] = await unit.query<{ designation_id: number | null; country: number | null }>(
            `select (select id from {designation} where active and library_code = $1 order by id limit 1) as designation_id,
               (select id from {country} where active and code = $2 limit 1) as country`,
            [codeOf.get(Number(offer.values.designation_id)) ?? null, offer.values.country ?? null],
          );
          const values = asOwnTemplate(offer, of!, (name) => units.get(name.toLowerCase()) ?? null);
          if (own?.state === 'published') {
            await unit.update(TYPE, own.id, { next_common: offers });
            await unit.transition(TYPE, own.id, 'new_version');
            const [draft] = await unit.query<{ id: number }>(
              `select id from {chk_template} where copied_from_id = $1 and state = 'draft' order by id desc limit 1`,
              [own.id],
            );
            await unit.update(TYPE, draft!.id, { ...values, next_common: null });
            await unit.transition(TYPE, draft!.id, 'publish');
            said.renewed++;
          } else if (!own) {
            const made = await unit.create(TYPE, values);
            await unit.transition(TYPE, made.id, 'publish');
            said.added++;
          }
        }
        return last ?? '';
      },
    );
    return `${said.added} templates added, ${said.renewed} renewed, ${said.withdrawn} withdrawn, ${said.kept} codes in use.`;
  },
};
