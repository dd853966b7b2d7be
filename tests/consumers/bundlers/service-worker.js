import { askServiceWorker } from './ask-service-worker.js';
import { report } from './report.js';

report(askServiceWorker('./in-service-worker.js'));
