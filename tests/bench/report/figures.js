/** What is read off a row: times per element, throughput and ratios. */
import { quartiles, ratio } from '../stats.js';

/** Nanoseconds per element, with their spread. */
export const perElement = ({ times, elements }, id) =>
  times[id] && quartiles(times[id].map((time) => time / elements));

/** 10^9 bytes a second. */
export const throughput = ({ times, bytes }, id) =>
  times[id] && bytes / quartiles(times[id]).middle;

/** How many times as long as another it took; NaN where one of them did not take part. */
export const ratioOf = ({ times }, id, other) =>
  times[id] && times[other] ? ratio(times[id], times[other]).middle : Number.NaN;
