import { Avatar } from '@fluentui/react-components';
import { useFileAddress } from './file_calls.ts';

/** A person's photo, or the initials. */
export function PersonPhoto({ name, photo, size }: { name: string; photo: number | null; size: 32 | 40 | 72 | 96 }) {
  const address = useFileAddress(photo);
  return (
    <Avatar
      size={size}
      name={name}
      color="colorful"
      aria-hidden
      {...(address !== null && { image: { src: address } })}
    />
  );
}
