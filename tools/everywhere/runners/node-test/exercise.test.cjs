const { test } = require('node:test')

const materialsMock = require('materials-mock')

const { exercise } = require('../exercise.cjs')

test('node:test with CommonJS', () => exercise(materialsMock))
