import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vite';

const outDir = resolve(import.meta.dirname, 'dist/client');

const routerFolder = resolve(import.meta.dirname, 'node_modules/react-router/dist/production');
const icons = '@fluentui/react-icons';
const iconFolder = resolve(import.meta.dirname, 'node_modules', icons, 'lib/atoms/svg');

/** The file of its own in which an icon lives: `TaskListLtr20Regular` is in task-list-ltr; null = not found there. */
function iconFile(name: string): string | null {
  const bare = /^([A-Z]\w*?)\d*(?:Regular|Filled|Light)$/.exec(name)?.[1];
  if (!bare) return null;
  const file = bare.replace(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3-$2').toLowerCase();
  try {
    return readFileSync(join(iconFolder, `${file}.js`), 'utf8').includes(`const ${name} =`) ? file : null;
  } catch {
    return null;
  }
}

/**
 * Takes each icon from its own file. The package's main file keeps thousands of icons in some thirty modules,
 * and a module goes into one chunk with every icon of it that any page uses: the sign-in page would load the menu's.
 */
function singleIcons(): Plugin {
  return {
    name: 'single-icons',
    apply: 'build',
    transform: {
      filter: { code: icons },
      handler(code) {
        const changed = code.replace(
          /\b(import|export)\s*\{([^}]*)\}\s*from\s*(['"])@fluentui\/react-icons\3;?/g,
          (_, word: string, list: string) => {
            const rest: string[] = [];
            const single = list.split(',').flatMap((part) => {
              const words = part.trim();
              const file = iconFile(words.split(/\s+as\s+/)[0] ?? '');
              if (file) return [`${word} { ${words} } from '${icons}/svg/${file}';`];
              if (words) rest.push(words);
              return [];
            });
            return [...single, ...(rest.length > 0 ? [`${word} { ${rest.join(', ')} } from '${icons}';`] : [])].join(
              ' ',
            );
          },
        );
        return changed === code ? null : { code: changed, map: null };
      },
    },
  };
}

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

/** The service worker, with the version and the files of the program that it keeps. */
function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    async generateBundle(_, bundle) {
      const files = Object.keys(bundle)
        .filter((file) => /^assets\/.*\.(js|css|woff2)$/.test(file))
        .sort();
      const version = createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 12);
      const program = JSON.stringify({ version, files: files.map((file) => `/${file}`) });
      const code = await readFile(resolve(import.meta.dirname, 'src/client/service_worker.js'), 'utf8');
      this.emitFile({
        type: 'asset',
        fileName: 'service-worker.js',
        source: `self.PROGRAM = ${program};\n${code}`,
      });
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
  plugins: [react(), singleIcons(), versionFile(), serviceWorker(), precompress()],
  resolve: {
    alias: [
      // React Router names its development build, with warnings for programmers, for every bundler.
      { find: /^react-router$/, replacement: resolve(routerFolder, 'index.mjs') },
      { find: /^react-router\/dom$/, replacement: resolve(routerFolder, 'dom-export.mjs') },
      // RJSF renders descriptions through a Markdown library of 30 kB; ours are plain text.
      { find: 'markdown-to-jsx/react', replacement: resolve(import.meta.dirname, 'src/client/app/plain_markdown.tsx') },
      // RJSF resolves references by it; a form's schema has none.
      { find: 'fast-uri', replacement: resolve(import.meta.dirname, 'src/client/runtime/form/own_references.ts') },
      // RJSF's own widgets and templates, of which our forms use none.
      {
        find: /^\.\.?\/getDefaultRegistry\.js$/,
        replacement: resolve(import.meta.dirname, 'src/client/runtime/form/rjsf_registry.ts'),
      },
    ],
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
      // The application, and the small page of people who have a link and no account.
      input: ['index.html', 'public.html'].map((page) => resolve(import.meta.dirname, page)),
      output: {
        codeSplitting: {
          groups: [
            // Pages of people without an account have no router.
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: 'router', test: /node_modules\/(react-router|react-router-dom)\// },
            // What the page to sign in draws: five files of 250 bytes each cost more than one.
            { name: 'login_icons', test: /react-icons\/.*\/(eye|eye-off|person|lock-closed|diamond-dismiss)\.js$/ },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': 'http://localhost:3000', '/tapi': 'http://localhost:3000', '/papi': 'http://localhost:3000' },
  },
});
