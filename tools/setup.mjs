// npm run setup: gets the compilers, the browsers and the npm packages that are missing.
import { existsSync } from 'node:fs';
import { fail, installPackages, isInstalled, outputOf, run, say } from './lib.mjs';

/** Command -> Debian packages that bring it. */
const TOOLS = {
  emcmake: ['emscripten'],
  cmake: ['cmake'],
  ninja: ['ninja-build'],
  gcc: ['gcc', 'libc6-dev'],
  clang: ['clang', 'libclang-rt-dev'],
  'clang-format': ['clang-format'],
  chromium: ['chromium'],
  'firefox-esr': ['firefox-esr'],
  WebKitWebDriver: ['webkit2gtk-driver'],
  Xvfb: ['xvfb'],
};

/** Debian's clang only recommends its runtime, which the fuzz target links. */
const hasRuntime = () =>
  existsSync(outputOf('clang', ['-print-file-name=libclang_rt.fuzzer-x86_64.a'])?.trim() ?? '');

const isReady = (command) => isInstalled(command) && (command !== 'clang' || hasRuntime());

function installTools() {
  const missing = Object.keys(TOOLS).filter((command) => !isReady(command));
  if (missing.length === 0) return;
  const packages = missing.flatMap((command) => TOOLS[command]);
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  if (!isInstalled('apt-get')) fail(`please install ${missing.join(', ')}`);
  if (process.getuid() !== 0) {
    fail(`please run: sudo apt-get update && sudo apt-get ${install.join(' ')}`);
  }
  say(`installing ${packages.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) =>
    run('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], {
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  if (!apt('update') || !apt(...install)) fail(`apt-get could not install ${packages.join(' ')}`);
}

installTools();
if (!installPackages()) fail('npm ci failed');
say('tools and packages are in place');
