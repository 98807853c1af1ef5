import * as materialsMock from 'materials-mock'
import { test } from 'node:test'

import { exercise } from '../exercise.cjs'

test('node:test with ES modules', () => exercise(materialsMock))
