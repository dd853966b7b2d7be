/** The line of text that is read, and where its picture is. draw.js makes the one of the other. */
export const TEXT = 'Gate 14: flight 3082 boards at 19:45';

export const PICTURE = new URL('line.png', import.meta.url);
