// @vitest-environment happy-dom
import * as materialsMock from 'materials-mock'
import { test } from 'vitest'

import { exercise } from '../exercise.cjs'

test('with the environment happy-dom', () => exercise(materialsMock))
