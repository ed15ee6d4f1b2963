/** Maximum side of a photo to send, in pixels. */
const LONGEST = 1600;

/** A photo with sides of at most 1600 pixels as JPEG; the original file if it is smaller or cannot be decoded. */
export async function shrunkPhoto(file: File): Promise<File> {
  try {
    const picture = await createImageBitmap(file);
    const part = LONGEST / Math.max(picture.width, picture.height);
    if (part >= 1) return file;
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(picture.width * part);
    canvas.height = Math.round(picture.height * part);
    canvas.getContext('2d')!.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const made = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85));
    return made ? new File([made], file.name.replace(/\.\w+$/, '.jpg'), { type: 'image/jpeg' }) : file;
  } catch {
    return file;
  }
}
