/**
 * Square images, channels last: [batch][side][side][channels].
 *
 * @typedef {object} ImageSizes
 * @property {number} batch
 * @property {number} side  in pixels
 * @property {number} channels
 */

/** @param {ImageSizes} sizes */
export const lengthOf = ({ batch, side, channels }) => batch * side * side * channels;
