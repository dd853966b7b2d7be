/**
 * A Vite plugin: `import address from 'virtual:handwritten-digits'` gives the address of the packed
 * digits, which are taken out of their npm package when the page is built or first asked for.
 */
import { pack, readDigits } from './extract.js';

const NAME = 'virtual:handwritten-digits';
const RESOLVED = `\0${NAME}`;
const FILE = 'handwritten-digits.bin';

let packed;
const packedOnce = () => {
  packed ??= pack(readDigits());
  return packed;
};

export function handwrittenDigits() {
  let isServing = false;
  return {
    name: 'handwritten-digits',
    configResolved({ command }) {
      isServing = command === 'serve';
    },
    configureServer(server) {
      server.middlewares.use(`/${FILE}`, (_, response) => {
        response.setHeader('Content-Type', 'application/octet-stream');
        response.end(packedOnce());
      });
    },
    resolveId: (id) => (id === NAME ? RESOLVED : undefined),
    load(id) {
      if (id !== RESOLVED) return undefined;
      if (isServing) return `export default '/${FILE}';`;
      const file = this.emitFile({ type: 'asset', name: FILE, source: packedOnce() });
      return `export default import.meta.ROLLUP_FILE_URL_${file};`;
    },
  };
}
