import { useEffect, useRef } from 'react';
import { fileAddress } from '../files/file_calls.ts';
import styles from './markdown.module.css';
import { renderMarkdown } from './render_markdown.ts';

export interface MarkdownValueProps {
  text: string;
  /** The address of a picture in the text; default: that of a file of a record. */
  pictureAddress?: (file: number) => Promise<string>;
}

/** A displayed Markdown text; always sanitised. */
export default function MarkdownValue({ text, pictureAddress = fileAddress }: MarkdownValueProps) {
  const place = useRef<HTMLDivElement>(null);
  const address = useRef(pictureAddress);
  useEffect(() => {
    address.current = pictureAddress;
  });
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    element.innerHTML = renderMarkdown(text);
    for (const picture of element.querySelectorAll<HTMLImageElement>('img[data-file]')) {
      address.current(Number(picture.dataset.file)).then(
        (url) => picture.setAttribute('src', url),
        () =>
          picture.replaceWith(
            document.createTextNode(`[${picture.alt === '' ? 'Picture' : picture.alt}: not there any more]`),
          ),
      );
    }
  }, [text]);
  return <div ref={place} className={styles.shown} />;
}
