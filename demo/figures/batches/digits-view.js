/** Some of the digits, as the network gets them. */
import { element } from '../../dom.js';
import { digitOf, LEVELS, PIXELS, SIDE } from '../../handwriting/digits.js';

/** Pixels of the screen to a pixel of a digit; style sheets may make it smaller. */
const ZOOM = 4;
const GAP = 4;
const STEP = SIDE * ZOOM + GAP;

export function digitsView() {
  const canvas = element('canvas', { className: 'digits', hidden: true, height: SIDE * ZOOM });
  canvas.setAttribute('role', 'img');
  return {
    element: canvas,
    /** @param {Uint8Array} levels */
    show(levels) {
      const count = levels.length / PIXELS;
      const names = Array.from({ length: count }, (_, i) => digitOf(i)).join(' ');
      canvas.setAttribute('aria-label', `Handwritten digits of 8 × 8 pixels: ${names}`);
      canvas.width = count * STEP - GAP;
      canvas.hidden = false;
      const context = canvas.getContext('2d');
      levels.forEach((level, i) => {
        const [image, pixel] = [Math.floor(i / PIXELS), i % PIXELS];
        const x = image * STEP + (pixel % SIDE) * ZOOM;
        const shade = Math.round(255 * (1 - level / (LEVELS - 1)));
        context.fillStyle = `rgb(${shade} ${shade} ${shade})`;
        context.fillRect(x, Math.floor(pixel / SIDE) * ZOOM, ZOOM, ZOOM);
      });
    },
  };
}
