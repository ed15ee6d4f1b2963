import { afterAll } from 'vitest';
import { USUAL_PLACE, setPlace } from '../../src/descriptor/place.ts';
import { stayAt } from '../../src/server/services/clock/client_day.ts';

const server = setPlace(() => USUAL_PLACE);
setPlace(server);

// A file may do a process's whole work, such as an export, which stays at a client's place, or load what browsers ask for
// theirs. The next file is on a server again, and nowhere.
afterAll(() => {
  setPlace(server);
  stayAt(USUAL_PLACE);
});
