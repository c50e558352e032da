// The Go side of the tests: a process that serves on loopback until its standard input ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, before } from 'node:test';

/** Starts the server around the tests of a file, and gives its address once they run. */
export function server() {
  const s = { url: '' };
  let child;
  before(async () => {
    const program = process.env.INTEROP_SERVER;
    if (!program) throw new Error('INTEROP_SERVER names no program; run these tests with ../run');
    child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = await once(createInterface(child.stdout), 'line');
    s.url = line;
  });
  after(async () => {
    child.stdin.end();
    await once(child, 'exit');
  });
  return s;
}
