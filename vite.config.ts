import { createHash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vite';

const outDir = resolve(import.meta.dirname, 'dist/client');

/** Tells open browsers that a newer bundle is served: the version is the hash of the bundle's file names. */
function versionFile(): Plugin {
  return {
    name: 'version-file',
    apply: 'build',
    generateBundle(_, bundle) {
      const version = createHash('sha256').update(Object.keys(bundle).sort().join('\n')).digest('hex').slice(0, 12);
      this.emitFile({ type: 'asset', fileName: 'version.json', source: JSON.stringify({ version }) });
    },
  };
}

/** Compresses once at build time what the server then sends as it is; index.html gets a nonce first and is left out. */
function precompress(): Plugin {
  let watching = false;
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      watching = config.build.watch !== null;
    },
    async closeBundle() {
      if (watching) return;
      const files = await readdir(outDir, { recursive: true });
      const texts = files.filter((file) => /\.(js|css|svg|webmanifest)$/.test(file));
      await Promise.all(
        texts.map(async (file) => {
          const path = join(outDir, file);
          const source = await readFile(path);
          if (source.length < 1024) return;
          const [gz, br] = await Promise.all([
            promisify(gzip)(source, { level: 9 }),
            promisify(brotliCompress)(source, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
          ]);
          await Promise.all([writeFile(`${path}.gz`, gz), writeFile(`${path}.br`, br)]);
        }),
      );
    },
  };
}

export default defineConfig({
  plugins: [react(), versionFile(), precompress()],
  resolve: {
    // RJSF renders descriptions through a Markdown library of 30 kB; ours are plain text.
    alias: { 'markdown-to-jsx/react': resolve(import.meta.dirname, 'src/client/app/plain_markdown.tsx') },
  },
  worker: { format: 'es' },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    manifest: true,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    // No data: addresses for scripts or fonts under the content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom)\// },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://localhost:3000', '/tapi': 'http://localhost:3000' } },
});
