/** Whether the visitor has asked for less motion; then nothing moves. */
export const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
