/** The numbers: those of the runs, and those that were published. */
import { element } from '../../dom.js';
import { numbersTable } from '../../shared/table.js';
import { PUBLISHED } from './published.js';
import { sizesOf } from './results.js';
import { NORMS } from './run.js';
import { percent } from './story.js';

const CAPTIONS = {
  inference: 'Inference: error in percent',
  training: 'While training: error in percent',
};

const LABELS = Object.values(NORMS).map(({ label }) => label);

function cell(summary) {
  if (summary === undefined) return '–';
  const { mean, low, high, seeds } = summary;
  if (seeds === 1 || Number.isNaN(mean)) return percent(mean);
  return element(
    'span',
    {},
    percent(mean),
    element('small', {}, `${percent(low)}–${percent(high)}`),
  );
}

export function tablesView() {
  const tables = Object.fromEntries(
    Object.entries(CAPTIONS).map(([kind, caption]) => [kind, numbersTable(caption)]),
  );
  return {
    elements: Object.values(tables).map((table) => table.element),
    show(results, state) {
      for (const [kind, table] of Object.entries(tables)) {
        table.show(
          ['images a batch', ...LABELS],
          sizesOf(state).map((size) => [
            String(size),
            ...Object.keys(NORMS).map((norm) => cell(results.summary(state, kind, norm, size))),
          ]),
        );
      }
    },
  };
}

export function publishedTable() {
  const table = numbersTable('ImageNet, as published: error in percent', 'published');
  table.show(
    ['images a GPU', 'BatchNorm', 'GroupNorm'],
    PUBLISHED.map(({ size, batch, group }) => [String(size), batch.toFixed(1), group.toFixed(1)]),
  );
  return table.element;
}
