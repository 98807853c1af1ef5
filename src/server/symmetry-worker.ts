import { parentPort } from 'node:worker_threads'

import { searchHere } from '@materials-mock/structures'

/** The worker thread that searches symmetry: it answers each text of a structure with what is found. */
parentPort?.on('message', (structure: string) =>
  parentPort?.postMessage(searchHere(JSON.parse(structure))),
)
