/** The state as code: the library's call, and PyTorch's. */
import { literal } from '../../numbers.js';
import { callOf, modelOf } from './model.js';
import { trailing } from './norms.js';
import { isImage } from './table.js';

const PER_LINE = 12;

function list(values, write, indent = '  ') {
  const texts = Array.from(values, write);
  if (texts.length <= PER_LINE) return texts.join(', ');
  const lines = [];
  for (let i = 0; i < texts.length; i += PER_LINE) {
    lines.push(`${indent}${texts.slice(i, i + PER_LINE).join(', ')},`);
  }
  return `\n${lines.join('\n')}\n`;
}

const array = (values) => `Float32Array.of(${list(values, literal)})`;

const python = (value) =>
  ({ NaN: "float('nan')", Infinity: "float('inf')", '-Infinity': "float('-inf')" })[value] ??
  literal(value);

const tensor = (values) => `torch.tensor([${list(values, python)}], dtype=torch.float32)`;

const what = ({ n, c, h, w }) =>
  h * w > 1 ? `${n} images, ${c} channels of ${h} × ${w}` : `${n} examples × ${c} features`;

function javascript(model) {
  const { table, norm, dy } = model;
  const { operation, options } = callOf(model);
  const { gamma, beta, ...plain } = options;
  const given = Object.entries(plain).map(([key, value]) =>
    Array.isArray(value) ? `${key}: [${value.join(', ')}]` : `${key}: ${value}`,
  );
  const names = [gamma && 'gamma', beta && 'beta'].filter(Boolean);
  const call = `an.${operation}.forward(x, { ${[...given, ...names].join(', ')} })`;
  const lines = [
    "import { load } from 'axisnorm';",
    '',
    'const an = await load();',
    `const x = ${array(table.x)}; // ${what(table)}`,
  ];
  if (gamma) lines.push(`const gamma = ${array(gamma)};`);
  if (beta) lines.push(`const beta = ${array(beta)};`);
  if (model.refusal) {
    lines.push('try {', `  ${call};`, '} catch (error) {', '  console.log(error.message);', '}');
  } else if (dy) {
    const at = dy.indexOf(1);
    lines.push(
      `const f = ${call};`,
      'const dy = new Float32Array(x.length);',
      `dy[${at}] = 1; // the gradient arrives at one output`,
      `const { dx } = an.${operation}.backward(dy, { ...f, x${gamma ? ', gamma' : ''} });`,
      'console.log(dx);',
    );
  } else {
    const taken = norm.centers ? 'y, mean, rstd' : 'y, rstd';
    lines.push(`const { ${taken} } = ${call};`, `console.log(${taken});`);
  }
  return `${lines.join('\n')}\n`;
}

/** PyTorch's functions want batch and channel first, as the table has them. */
function torchCall(model, { gamma, beta }) {
  const { table, norm, groups, eps } = model;
  const weight = gamma ? ', weight=gamma' : '';
  const bias = beta ? ', bias=beta' : '';
  const tail = `${weight}${bias}, eps=${eps}`;
  const shape = `[${trailing(table).join(', ')}]`;
  return {
    batchNorm: `F.batch_norm(x, None, None${tail.replace(/, eps/, ', training=True, eps')})`,
    layerNorm: `F.layer_norm(x, ${shape}${tail})`,
    rmsNorm: `F.rms_norm(x, ${shape}${weight}, eps=${eps})`,
    groupNorm: `F.group_norm(x, ${groups}${tail})`,
    instanceNorm: isImage(table)
      ? `F.instance_norm(x${tail})`
      : `F.group_norm(x, ${table.c}${tail})  # instance_norm wants pixels`,
  }[norm.operation];
}

function pytorch(model) {
  const { table, norm, groups, dy } = model;
  const { options } = callOf(model);
  const { gamma, beta, shape } = options;
  const lines = [
    'import torch',
    'import torch.nn.functional as F',
    '',
    `x = ${tensor(table.x)}.reshape(${shape.join(', ')})`,
  ];
  const parameterShape = norm.perElement ? `.reshape(${trailing(table).join(', ')})` : '';
  if (gamma) lines.push(`gamma = ${tensor(gamma)}${parameterShape}`);
  if (beta) lines.push(`beta = ${tensor(beta)}${parameterShape}`);
  if (dy) lines.push('x.requires_grad_()');
  const inGroup = norm.operation === 'groupNorm' ? table.c / groups : 1;
  const isSingle =
    !['layerNorm', 'rmsNorm'].includes(norm.operation) &&
    table.n * inGroup * table.h * table.w === 1;
  if (isSingle) lines.push('# PyTorch raises ValueError: Expected more than 1 value per channel');
  lines.push(`y = ${torchCall(model, options)}`);
  if (dy) {
    lines.push(
      'dy = torch.zeros_like(y)',
      `dy.view(-1)[${dy.indexOf(1)}] = 1`,
      'y.backward(dy)',
      'print(x.grad)',
    );
  } else lines.push('print(y)');
  return `${lines.join('\n')}\n`;
}

/** @param {import('axisnorm').AxisNorm} an */
export function listings(an, state) {
  const model = modelOf(an, state);
  return { js: javascript(model), pytorch: pytorch(model) };
}
