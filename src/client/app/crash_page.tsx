import { useEffect } from 'react';
import { useRouteError } from 'react-router-dom';
import { isChunkFailure } from './lazy_page.ts';
import { reloadForNewVersion } from './version_check.ts';
import styles from './crash_page.module.css';

/** A screen that broke, with two ways out; the rest of the product stays usable. */
export function CrashPage() {
  return <Crash error={useRouteError()} />;
}

export function Crash({ error }: { error: unknown }) {
  const chunk = isChunkFailure(error);

  useEffect(() => {
    if (chunk) void reloadForNewVersion();
  }, [chunk]);

  return (
    <div className={styles.crash} role="alert">
      <h1>{chunk ? 'This page could not be loaded.' : 'Something went wrong on this page.'}</h1>
      <p>
        {chunk
          ? 'The connection may have been cut, or a newer version is in place.'
          : 'Your other pages are not affected. Loading again usually helps.'}
      </p>
      {!chunk && error instanceof Error && (
        <details>
          <summary>Details</summary>
          <code>{error.message}</code>
        </details>
      )}
      <div className={styles.actions}>
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
        <a href="/show_list">Go home</a>
      </div>
    </div>
  );
}
