/** Commands as a user would give them, in a folder outside of the repository. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const PATIENCE = 60_000;

/**
 * Settings of the npm and the node:test that run these tests must not reach what they run, but for
 * where packages come from.
 */
const isForeign = (name) =>
  /^(npm_|NODE_TEST|NODE_ENV)/i.test(name) &&
  !/^npm_config_(registry|cache|cafile|userconfig|.*proxy)$/i.test(name);

const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !isForeign(name))),
  // Nothing is to be reported to anyone, and no color code stands between words.
  ...{ NEXT_TELEMETRY_DISABLED: '1', WRANGLER_SEND_METRICS: 'false', DO_NOT_TRACK: '1' },
  ...{ NO_COLOR: '1', CI: '1' },
};

/**
 * What a command prints; an error with all of it where it fails.
 *
 * @param {string} cwd
 * @param {string} command
 * @param {...string} args
 */
export async function run(cwd, command, ...args) {
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd, env, maxBuffer: 2 ** 25 });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error;
    throw new Error(`${command} ${args.join(' ')}: ${error.code}\n${readable(stdout + stderr)}`);
  }
}

/** Without the lines of minified code that errors quote. */
const readable = (text) => text.replace(/^(.{500}).+$/gm, '$1 …');

/** A port of this machine that nobody listens on. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Starts a server and waits until it answers.
 *
 * @param {string} cwd
 * @param {string} url  that it will answer
 * @param {string} command
 * @param {...string} args
 * @returns {Promise<() => Promise<void>>} ends it
 */
export async function startServer(cwd, url, command, ...args) {
  // A group of its own, so that its children end with it.
  const child = spawn(command, args, { cwd, env, detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  const ended = once(child, 'close');
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  const end = performance.now() + PATIENCE;
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() > end) {
      await stop();
      throw new Error(`${command} ${args.join(' ')} serves no ${url}\n${readable(output)}`);
    }
    await pause(100);
  }
  return stop;
}

const answers = (url) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
