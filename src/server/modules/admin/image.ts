import { pictureSize } from '../../services/files/pictures.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

/** Images: their size is looked up in the picture itself. */
export default defineHooks({
  async fill({ tenant }, record, stored, { files }) {
    if (typeof record.file !== 'number') return { width: null, height: null };
    if (record.file === stored?.file && stored.width !== null) return {};
    const { file, path } = await files.open(tenant, record.file);
    // What is not a picture inside is shown as none; its size is not what a record is refused for.
    const size = file.type.startsWith('image/') ? await pictureSize(path) : null;
    return { width: size?.width ?? null, height: size?.height ?? null };
  },
});
