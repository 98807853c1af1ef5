/** @jest-environment jest-fixed-jsdom */
const materialsMock = require('materials-mock')

const { exercise } = require('./exercise.cjs')

test('with the environment jest-fixed-jsdom', () => exercise(materialsMock))
