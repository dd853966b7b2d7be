/** What the visitor can set. */
import { oneOf } from '../../state.js';
import { OPERATIONS } from './model.js';

export const FIELDS = { operation: oneOf(Object.keys(OPERATIONS)) };
