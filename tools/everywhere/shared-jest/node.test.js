/** @jest-environment node */
const materialsMock = require('materials-mock')

const { exercise } = require('./exercise.cjs')

test('with the environment node', () => exercise(materialsMock))
