// `npm run build`: the client into dist/client, if anything of it changed.
import { build, install } from './prepare.mjs';

install();
build();
