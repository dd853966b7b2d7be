// npm run setup: gets the compilers, the browser and the npm packages that are missing.
import { fail, installPackages, isInstalled, run, say } from './lib.mjs';

/** Command -> Debian packages that bring it. */
const TOOLS = {
  emcmake: ['emscripten'],
  cmake: ['cmake'],
  ninja: ['ninja-build'],
  gcc: ['gcc', 'libc6-dev'],
  clang: ['clang', 'libclang-rt-dev'],
  'clang-format': ['clang-format'],
  chromium: ['chromium'],
};

function installTools() {
  const missing = Object.keys(TOOLS).filter((command) => !isInstalled(command));
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
