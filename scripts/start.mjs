// `npm start`: everything a fresh clone needs, then the server. `--dev` rebuilds and restarts on change.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build, install, pinnedNode, root, withLocalBin } from './prepare.mjs';

const dev = process.argv.includes('--dev');
const rest = process.argv.slice(2).filter((argument) => argument !== '--dev');

install();
build();

const node = pinnedNode();
const children = [];
if (dev) {
  children.push(
    spawn(node, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--watch', '--logLevel', 'warn'], {
      cwd: root,
      stdio: 'inherit',
      env: withLocalBin(),
    }),
  );
}
const watch = dev ? ['--watch-path=src/server', '--watch-path=src/descriptor', '--watch-path=src/domain'] : [];
const server = spawn(node, [...watch, join(root, 'src/server/main.ts'), ...rest], {
  cwd: root,
  stdio: 'inherit',
  env: { ...withLocalBin(), ...(dev && { ENVIRONMENT: process.env.ENVIRONMENT ?? 'development' }) },
});
children.push(server);

// The terminal sends SIGINT to the whole group; a supervisor sends SIGTERM to us alone.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => children.forEach((child) => child.kill('SIGTERM')));
server.on('exit', (code, signal) => {
  for (const child of children) if (child !== server) child.kill('SIGTERM');
  process.exit(code ?? (signal ? 1 : 0));
});
