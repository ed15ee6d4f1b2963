// `npm run add -- oracle`: installs a driver that import jobs need for one kind of database and that is too large to come
// with every installation. Its packages are locked like all others, and stay when the product is updated.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { addDriver, root } from './prepare.mjs';

const known = readdirSync(join(root, 'drivers'))
  .filter((name) => existsSync(join(root, 'drivers', name, 'package.json')))
  .sort();
const wanted = process.argv.slice(2);
if (wanted.length === 0 || wanted.some((name) => !known.includes(name))) {
  console.error(`Usage: npm run add -- <driver>. There are: ${known.join(', ')}.`);
  process.exit(1);
}
for (const name of wanted) addDriver(name);
console.log(`Added: ${wanted.join(', ')}. A server that runs finds it at once.`);
