import { Button, Field, Input, Link } from '@fluentui/react-components';
import { CheckmarkRegular, CopyRegular } from '@fluentui/react-icons';
import { useRef, useState } from 'react';

/**
 * A value to copy, unwrapped; if the browser does not allow clipboard access it is selected. An address can be opened
 * too.
 */
export function CopyValue({ label, value }: { label: string; value: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);
  const copy = () => {
    input.current?.select();
    // Without https there is no clipboard: the selected text can be copied by hand.
    navigator.clipboard?.writeText(value).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <Field
      label={label}
      style={{ marginTop: 12 }}
      {...(/^https?:\/\//.test(value) && {
        hint: (
          <Link href={value} target="_blank">
            Open in a new tab
          </Link>
        ),
      })}
    >
      <Input
        ref={input}
        readOnly
        value={value}
        onFocus={(event) => event.target.select()}
        contentAfter={
          <Button
            appearance="transparent"
            size="small"
            icon={copied ? <CheckmarkRegular /> : <CopyRegular />}
            aria-label={copied ? `${label} copied` : `Copy ${label.toLowerCase()}`}
            onClick={copy}
          />
        }
      />
    </Field>
  );
}
