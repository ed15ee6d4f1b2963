import { useFileAddress } from '../fields/files/file_calls.ts';
import type { PictureProps } from './question_props.ts';

/** A picture of a choice, for signed-in people. */
export function StoredPicture({ image, label, className }: PictureProps) {
  const address = useFileAddress(image);
  return address ? <img className={className} src={address} alt={label} /> : <span className={className} />;
}
