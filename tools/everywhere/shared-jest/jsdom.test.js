/** @jest-environment jsdom */
const materialsMock = require('materials-mock')

const { exercise } = require('./exercise.cjs')

test('with the environment jsdom', () => exercise(materialsMock))
