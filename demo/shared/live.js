/** What changes by itself: how often it is drawn, and how often it is said. */

/** Milliseconds between drawings: the processors have better things to do. */
const DRAW_EVERY = 80;
/** Milliseconds between announcements. */
const SAY_EVERY = 10_000;

/**
 * A function that has something drawn soon, and once, however often it is called; not at all while
 * nobody sees the page.
 *
 * @param {() => void} draw
 */
export function drawnSoon(draw) {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      requestAnimationFrame(() => {
        isWaiting = false;
        draw();
      });
    }, DRAW_EVERY);
  };
}

/**
 * Announcements of something that goes on: its start and its end at once, the rest now and then.
 *
 * @param {(text: string) => void} announce
 */
export function saidNowAndThen(announce) {
  let last = 0;
  const say = (text) => {
    last = performance.now();
    announce(text);
  };
  return {
    say,
    /** @param {() => string} text  asked for when it is time */
    goOn(text) {
      if (performance.now() - last >= SAY_EVERY) say(text());
    },
  };
}
