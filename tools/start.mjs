// npm start: serves the demo page. It needs Node alone: the built WebAssembly is part of the project.
import { fail, installPackages, node, say } from './lib.mjs';

if (!installPackages()) fail('npm ci failed; the page needs its packages once');
say('serving demo/ with Vite; end it with Ctrl+C');
// Options go to Vite, such as: npm start -- --port 8080 --open
node('node_modules/vite/bin/vite.js', 'demo', ...process.argv.slice(2));
