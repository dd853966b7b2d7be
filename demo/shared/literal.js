/** Numbers as they are written in listings. */

const PER_LINE = 8;

const number = (v) => String(Number(v.toPrecision(9)));

function lines(values, indent) {
  const texts = Array.from(values, number);
  const rows = [];
  for (let i = 0; i < texts.length; i += PER_LINE)
    rows.push(texts.slice(i, i + PER_LINE).join(', '));
  return rows.length === 1 ? rows[0] : rows.map((row) => `\n${indent}${row},`).join('');
}

/** `Float32Array.of(…)`, over several lines where it is long. */
export function floats(values) {
  const inside = lines(values, '  ');
  return `Float32Array.of(${inside}${inside.startsWith('\n') ? '\n' : ''})`;
}

/** `torch.tensor([…])` */
export function torchTensor(values) {
  const inside = lines(values, '    ');
  return `torch.tensor([${inside}${inside.startsWith('\n') ? '\n' : ''}])`;
}
