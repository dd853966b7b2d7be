// Starts the library and gives it to the figures.
import { isSupported, load } from 'axisnorm';
import { gridFigure } from './figures/grid/figure.js';

function showTrouble(text) {
  const trouble = document.querySelector('#trouble');
  trouble.textContent = text;
  trouble.hidden = false;
}

async function start() {
  if (!isSupported()) {
    showTrouble(
      'This page computes with WebAssembly, and this browser has none, or has it switched off. ' +
        'Current versions of Chrome, Edge, Firefox and Safari have it.',
    );
    return;
  }
  try {
    gridFigure(document.querySelector('#grid'), await load());
  } catch (error) {
    showTrouble(`The page could not start: ${error.message}`);
    throw error;
  }
}

start();
