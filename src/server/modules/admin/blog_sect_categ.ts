import { defineHooks } from '../../engine/records/hooks.ts';

/** Blog sections: two levels, sections and their categories. */
export default defineHooks({
  async check({ tenant }, record, stored) {
    if (!record.parent_id) return [];
    const [above] = await tenant.db.query<{ name: string; parent_id: number | null }>(
      'select name, parent_id from public.blog_sect_categ where id = $1',
      [record.parent_id],
    );
    if (above?.parent_id)
      return [{ field: 'parent_id', message: `"${above.name}" is a category itself. Choose a section.` }];
    const below = stored
      ? await tenant.db.query('select 1 from public.blog_sect_categ where parent_id = $1 and active limit 1', [
          stored.id,
        ])
      : [];
    return below.length > 0 ? [{ field: 'parent_id', message: 'This section has categories. Move them first.' }] : [];
  },
});
