import { Type } from '@sinclair/typebox'

import { BoundExceeded, SandboxNotFound } from '../../errors.js'
import { Nothing } from '../control-data.js'
import { SandboxParameters, SandboxSummary } from './sandbox-schema.js'
import { operation } from '../control-operation.js'

/** The controls of sandboxes, as their document describes them. */
export const SANDBOX_OPERATIONS = {
  list: operation('sandboxes-list', 'List the sandboxes', Type.Array(SandboxSummary), {
    description: 'By name.',
  }),
  make: operation('sandboxes-make', 'Make a sandbox', SandboxSummary, {
    description: 'Or bring it back to the fixtures as loaded. Its snapshots are removed too.',
    params: SandboxParameters,
    errors: [new BoundExceeded('there must be at most 1000 sandboxes; end some first')],
  }),
  end: operation('sandboxes-end', 'End a sandbox', Nothing, {
    description: 'Requests to it are a 404 from then on.',
    params: SandboxParameters,
    errors: [new SandboxNotFound('ann')],
  }),
}
