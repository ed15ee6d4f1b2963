import { pictureSize } from '../../services/files/pictures.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

/** Images: their size is read from the file itself. */
export default defineHooks({
  async fill({ tenant }, record, stored, { files }) {
    if (typeof record.file !== 'number') return { width: null, height: null };
    if (record.file === stored?.file && stored.width !== null) return {};
    const { file, path } = await files.open(tenant, record.file);
    // An unreadable file is shown without a size; the missing size is no reason to refuse the record.
    const size = file.type.startsWith('image/') ? await pictureSize(path) : null;
    return { width: size?.width ?? null, height: size?.height ?? null };
  },
});
