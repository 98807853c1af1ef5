/* oxlint-disable unicorn/no-thenable -- `then` is an argument of $cond and $switch */
import { readFileSync } from 'node:fs'

import t from 'tap'

import type { Json, JsonObject } from '../../../src/json/json.js'
import { compileExpression } from './run-expression.js'

/** An expression and its result for ITEM; undefined is a missing value. */
type Case = readonly [expression: Json, result: Json | undefined]

const ITEM: JsonObject = {
  _id: '1',
  zero: 0,
  one: 1,
  two: 2,
  half: 0.5,
  long: 12345678901,
  text: 'text',
  accent: 'cafétéria',
  pair: 'a𝒳b',
  nul: null,
  yes: true,
  no: false,
  list: [1, 2, 3],
  mixed: [1, 'a', null, [1], { x: 1 }],
  objects: [{ x: 1 }, { x: [2, 3] }, { y: 4 }, 5, [{ x: 6 }]],
  object: { x: 1, y: { z: 2 } },
  'a.b': 'dotted',
  deep: { '0': 'zero', list: [{ z: 1 }, { z: 2 }] },
}

const TYPED = { $type: '$$x' }
/** The name of a result's type. */
const typeOf = (expression: Json): Json => ({ $let: { vars: { x: expression }, in: TYPED } })
/** The text of a number, with all the digits of a long. */
const textOf = (expression: Json): Json => ({ $toString: expression })

const percentile = (input: Json, p: Json): Json => ({
  $percentile: { input, p, method: 'approximate' },
})

const RESULTS: Readonly<Record<string, readonly Case[]>> = {
  'field paths and variables': [
    ['$one', 1],
    ['$nothing', undefined],
    ['$object.y.z', 2],
    ['$object.y.nothing', undefined],
    ['$text.x', undefined],
    ['$objects.x', [1, [2, 3]]],
    ['$list.x', []],
    ['$list.0', []],
    ['$deep.0', 'zero'],
    ['$deep.list.z', [1, 2]],
    ['$toString', undefined],
    ['$$ROOT.one', 1],
    ['$$CURRENT.object.x', 1],
    ['$$REMOVE', undefined],
    [{ a: '$nothing', b: '$$REMOVE', c: '$nul' }, { c: null }],
    [
      ['$nothing', '$one'],
      [null, 1],
    ],
    [{ $let: { vars: { x: '$one', y: 2 }, in: ['$$x', '$$y', '$$x.a'] } }, [1, 2, null]],
    [
      { $let: { vars: { x: 1 }, in: { $let: { vars: { x: 2, y: '$$x' }, in: ['$$x', '$$y'] } } } },
      [2, 1],
    ],
    [
      { $let: { vars: { CURRENT: '$object' }, in: ['$x', '$$ROOT.one', '$$CURRENT'] } },
      [1, 1, { x: 1, y: { z: 2 } }],
    ],
    [{ $let: { vars: {}, in: '$one' } }, 1],
    [{ $let: { vars: { x: '$objects' }, in: '$$x.x' } }, [1, [2, 3]]],
    [{ $literal: { $add: [1, '$x'] } }, { $add: [1, '$x'] }],
    [{ $const: '$one' }, '$one'],
    [{}, {}],
    ['', ''],
  ],
  'addition, subtraction and multiplication': [
    [{ $add: [] }, 0],
    [{ $add: '$one' }, 1],
    [{ $add: ['$one', 2, '$half'] }, 3.5],
    [{ $add: ['$one', '$nul', '$text'] }, null],
    [{ $add: ['$nothing', '$text'] }, null],
    [typeOf({ $add: [1, 2] }), 'int'],
    [typeOf({ $add: [2147483647, 1] }), 'long'],
    [typeOf({ $add: ['$long', 1] }), 'long'],
    [typeOf({ $add: [0.5, 0.5] }), 'double'],
    [typeOf({ $add: [{ $toLong: 1 }, 1] }), 'long'],
    [textOf({ $add: [{ $toLong: '9007199254740992' }, 1] }), '9007199254740993'],
    [textOf({ $add: [{ $toLong: '9223372036854775806' }, 1] }), '9223372036854775807'],
    [typeOf({ $add: [{ $toLong: '9223372036854775807' }, 1] }), 'double'],
    [textOf({ $add: [{ $toLong: '9223372036854775807' }, 1] }), '9.223372036854776e+18'],
    [textOf({ $add: [{ $toLong: '9007199254740992' }, { $toLong: '1' }, -1] }), '9007199254740992'],
    [{ $add: [0.1, 0.2] }, 0.30000000000000004],
    [{ $subtract: ['$two', 5] }, -3],
    [{ $subtract: ['$nul', 'x'] }, null],
    [typeOf({ $subtract: [-2147483648, 1] }), 'long'],
    [textOf({ $subtract: [{ $toLong: '-9223372036854775808' }, 1] }), '-9.223372036854776e+18'],
    [{ $multiply: [] }, 1],
    [{ $multiply: ['$two', 3, '$half'] }, 3],
    [typeOf({ $multiply: [2, 0.5] }), 'double'],
    [typeOf({ $multiply: [65536, 65536] }), 'long'],
    [textOf({ $multiply: [3037000499, 3037000499] }), '9223372030926249001'],
    [textOf({ $multiply: [3037000500, 3037000500] }), '9.22337203700025e+18'],
  ],
  'division and powers': [
    [{ $divide: ['$one', 4] }, 0.25],
    [typeOf({ $divide: [4, 2] }), 'double'],
    [{ $divide: ['$nothing', 0] }, null],
    [{ $divide: ['$text', '$nul'] }, null],
    [{ $mod: [10, 3] }, 1],
    [{ $mod: [-10, 3] }, -1],
    [{ $mod: [10, -3] }, 1],
    [{ $mod: [5.5, 2] }, 1.5],
    [{ $mod: [5, '$nul'] }, null],
    [textOf({ $mod: [{ $toLong: '9223372036854775807' }, 10] }), '7'],
    [typeOf({ $mod: [{ $toLong: 7 }, 4] }), 'long'],
    [{ $pow: [2, 10] }, 1024],
    [{ $pow: [2, -1] }, 0.5],
    [{ $pow: [0, 0] }, 1],
    [{ $pow: [-1, 63] }, -1],
    [{ $pow: [2, 0.5] }, 1.4142135623730951],
    [typeOf({ $pow: [2, 31] }), 'long'],
    [textOf({ $pow: [2, 62] }), '4611686018427387904'],
    [typeOf({ $pow: [2, 63] }), 'double'],
    [textOf({ $pow: [-2, 63] }), '-9223372036854775808'],
    [textOf({ $pow: [3, 39] }), '4052555153018976267'],
    [{ $pow: ['$nul', 2] }, null],
    [{ $sqrt: 2 }, 1.4142135623730951],
    [typeOf({ $sqrt: 4 }), 'double'],
    [{ $ln: { $exp: 1 } }, 1],
    [{ $log: [100, 10] }, 2],
    [{ $log10: 0.001 }, -3],
    [{ $exp: '$nul' }, null],
    [{ $sqrt: '$nothing' }, null],
  ],
  rounding: [
    [{ $abs: -1.5 }, 1.5],
    [{ $abs: { $literal: -5 } }, 5],
    [typeOf({ $abs: -2147483648 }), 'long'],
    [{ $abs: '$nul' }, null],
    [{ $ceil: 1.2 }, 2],
    [{ $ceil: -1.2 }, -1],
    [{ $floor: -1.2 }, -2],
    [{ $floor: '$long' }, 12345678901],
    [{ $round: 2.5 }, 2],
    [{ $round: 3.5 }, 4],
    [{ $round: -2.5 }, -2],
    [{ $round: [1.298, 1] }, 1.3],
    [{ $round: [23.298, -1] }, 20],
    [{ $round: [0.15, 1] }, 0.1],
    [{ $round: [0.25, 1] }, 0.2],
    [{ $round: [0.75, 1] }, 0.8],
    [{ $round: [1.298, 100] }, 1.298],
    [{ $round: [25, -1] }, 20],
    [{ $round: [35, -1] }, 40],
    [{ $round: [-25, -1] }, -20],
    [{ $round: [19.25, '$nul'] }, null],
    [{ $round: [{ $toInt: 2147483647 }, -1] }, 2147483650],
    [typeOf({ $round: [2147483647, -1] }), 'long'],
    [typeOf({ $round: [5, -1] }), 'int'],
    [typeOf({ $round: 0.9 }), 'double'],
    [{ $round: [1e300, -20] }, 1e300],
    [{ $round: [5e-324, 20] }, 0],
    [{ $trunc: 0.9 }, 0],
    [{ $trunc: -1.6 }, -1],
    [{ $trunc: [1.298, 1] }, 1.2],
    [{ $trunc: [23.298, -1] }, 20],
    [{ $trunc: [-25, -1] }, -20],
    [{ $trunc: '$nothing' }, null],
  ],
  'comparison and logic': [
    [{ $eq: [1, { $toDouble: 1 }] }, true],
    [{ $eq: ['$nothing', null] }, false],
    [{ $eq: ['$nothing', '$nowhere'] }, true],
    [
      {
        $eq: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      },
      false,
    ],
    [{ $eq: ['$list', [1, 2, 3]] }, true],
    [{ $lt: ['$nothing', '$nul'] }, true],
    [{ $lt: ['$nul', -5] }, true],
    [{ $lt: [5, 'a'] }, true],
    [{ $lt: ['z', {}] }, true],
    [{ $lt: [{ z: 1 }, []] }, true],
    [{ $lt: [[9], false] }, true],
    [{ $gt: [true, false] }, true],
    [{ $gte: [[1, 2], [1]] }, true],
    [{ $cmp: ['$one', '$two'] }, -1],
    [{ $cmp: ['b', 'a'] }, 1],
    [{ $cmp: [{ $toDouble: 'NaN' }, -1e300] }, -1],
    [{ $eq: [{ $toDouble: 'NaN' }, { $toDouble: 'nan' }] }, true],
    [{ $gt: [{ $toLong: '9007199254740993' }, 9007199254740992] }, true],
    [{ $ne: ['$list', 1] }, true],
    [{ $and: [] }, true],
    [{ $or: [] }, false],
    [{ $and: ['$one', '$text', '$list'] }, true],
    [{ $and: ['$one', '$zero'] }, false],
    [{ $and: ['$no', { $divide: [1, '$zero'] }] }, false],
    [{ $and: [{ $divide: [1, '$zero'] }, false] }, false],
    [{ $or: ['$yes', { $divide: [1, '$zero'] }] }, true],
    [{ $or: [{ $divide: [1, '$zero'] }, 1] }, true],
    [{ $or: ['$nul', '$nothing', 0] }, false],
    [{ $not: ['$nothing'] }, true],
    [{ $not: [''] }, false],
    [{ $not: [{ $toDouble: '0' }] }, true],
    [{ $not: [[]] }, false],
    [{ $in: [2, '$list'] }, true],
    [{ $in: [[1], '$mixed'] }, true],
    [{ $in: ['$nothing', '$mixed'] }, false],
    [{ $in: [null, '$mixed'] }, true],
  ],
  conditions: [
    [{ $cond: ['$one', 'a', 'b'] }, 'a'],
    [{ $cond: { if: '$zero', then: 'a', else: 'b' } }, 'b'],
    [{ $cond: ['$no', { $divide: [1, '$zero'] }, 2] }, 2],
    [{ $cond: ['$yes', '$nothing', 2] }, undefined],
    [{ $ifNull: ['$nothing', '$nul', 3] }, 3],
    [{ $ifNull: ['$nul', '$nothing'] }, undefined],
    [{ $ifNull: ['$one', { $divide: [1, '$zero'] }] }, 1],
    [
      {
        $switch: {
          branches: [
            { case: '$no', then: 1 },
            { case: '$yes', then: 2 },
          ],
        },
      },
      2,
    ],
    [{ $switch: { branches: [{ case: '$no', then: 1 }], default: '$text' } }, 'text'],
    [{ $switch: { branches: [{ case: false, then: { $divide: [1, 0] } }], default: 1 } }, 1],
    [
      {
        $switch: {
          branches: [
            { case: '$yes', then: 1 },
            { case: true, then: 2 },
            { case: { $divide: [1, 0] }, then: 3 },
          ],
        },
      },
      1,
    ],
    [
      {
        $switch: {
          branches: [
            { case: '$no', then: 1 },
            { case: 1, then: 2 },
          ],
          default: 3,
        },
      },
      2,
    ],
  ],
  arrays: [
    [{ $arrayElemAt: ['$list', 0] }, 1],
    [{ $arrayElemAt: ['$list', -1] }, 3],
    [{ $arrayElemAt: ['$list', 3] }, undefined],
    [{ $arrayElemAt: ['$list', -4] }, undefined],
    [{ $arrayElemAt: ['$nul', 0] }, null],
    [{ $arrayElemAt: ['$list', '$nothing'] }, null],
    [{ $arrayElemAt: ['$list', { $toDouble: 1 }] }, 2],
    [{ $first: '$list' }, 1],
    [{ $last: '$list' }, 3],
    [{ $first: [[]] }, undefined],
    [{ $last: '$nothing' }, null],
    [{ $concatArrays: ['$list', [4]] }, [1, 2, 3, 4]],
    [{ $concatArrays: [] }, []],
    [{ $concatArrays: ['$list', '$nul', 'x'] }, null],
    [{ $indexOfArray: ['$list', 2] }, 1],
    [{ $indexOfArray: ['$list', 9] }, -1],
    [{ $indexOfArray: ['$list', 1, 1] }, -1],
    [{ $indexOfArray: ['$list', 3, 0, 2] }, -1],
    [{ $indexOfArray: ['$list', 3, 2, 1] }, -1],
    [{ $indexOfArray: ['$list', 3, 0, 99] }, 2],
    [{ $indexOfArray: ['$nothing', 3, -1] }, null],
    [{ $indexOfArray: [null, '$one', '$text'] }, null],
    [{ $isArray: '$list' }, true],
    [{ $isArray: [['a']] }, true],
    [{ $isArray: '$nothing' }, false],
    [{ $range: [0, 3] }, [0, 1, 2]],
    [{ $range: [0, 10, 4] }, [0, 4, 8]],
    [{ $range: [5, 0, -2] }, [5, 3, 1]],
    [{ $range: [5, 7, -1] }, []],
    [{ $range: [3, 3] }, []],
    [{ $range: [{ $toDouble: 1 }, 3] }, [1, 2]],
    [{ $range: [-2147483648, -2147483646] }, [-2147483648, -2147483647]],
    [{ $reverseArray: '$list' }, [3, 2, 1]],
    [{ $reverseArray: '$nul' }, null],
    [{ $size: '$mixed' }, 5],
    [{ $slice: ['$list', 2] }, [1, 2]],
    [{ $slice: ['$list', -2] }, [2, 3]],
    [{ $slice: ['$list', -9] }, [1, 2, 3]],
    [{ $slice: ['$list', 1, 1] }, [2]],
    [{ $slice: ['$list', -2, 9] }, [2, 3]],
    [{ $slice: ['$list', -9, 1] }, [1]],
    [{ $slice: ['$list', 9, 1] }, []],
    [{ $slice: ['$nul', 1] }, null],
    [{ $slice: ['$list', 1, '$nothing'] }, null],
    [
      { $zip: { inputs: ['$list', ['a', 'b']] } },
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    [
      { $zip: { inputs: ['$list', ['a']], useLongestLength: true } },
      [
        [1, 'a'],
        [2, null],
        [3, null],
      ],
    ],
    [
      { $zip: { inputs: [[1], ['a', 'b']], useLongestLength: true, defaults: [0, 'z'] } },
      [
        [1, 'a'],
        [0, 'b'],
      ],
    ],
    [{ $zip: { inputs: ['$list', '$nul'] } }, null],
    [{ $firstN: { n: 2, input: '$list' } }, [1, 2]],
    [{ $firstN: { n: 9, input: '$list' } }, [1, 2, 3]],
    [{ $lastN: { n: 2, input: '$mixed' } }, [[1], { x: 1 }]],
    [{ $maxN: { n: 2, input: [1, null, 'a', 3] } }, ['a', 3]],
    [{ $minN: { n: 2, input: [3, null, 1, 2] } }, [1, 2]],
    [{ $minN: { n: { $add: ['$one', 1] }, input: '$list' } }, [1, 2]],
    [{ $sortArray: { input: [3, 1, 'a', null, 2], sortBy: 1 } }, [null, 1, 2, 3, 'a']],
    [{ $sortArray: { input: '$list', sortBy: -1 } }, [3, 2, 1]],
    [
      {
        $sortArray: { input: [{ a: 1, b: 2 }, { a: 1, b: 1 }, { b: 3 }], sortBy: { a: -1, b: 1 } },
      },
      [{ a: 1, b: 1 }, { a: 1, b: 2 }, { b: 3 }],
    ],
    [
      { $sortArray: { input: [{ a: { b: 2 } }, { a: { b: 1 } }, 7], sortBy: { 'a.b': 1 } } },
      [7, { a: { b: 1 } }, { a: { b: 2 } }],
    ],
    [{ $sortArray: { input: '$nothing', sortBy: 1 } }, null],
  ],
  loops: [
    [{ $map: { input: '$list', in: { $multiply: ['$$this', 2] } } }, [2, 4, 6]],
    [{ $map: { input: '$objects', as: 'o', in: '$$o.x' } }, [1, [2, 3], null, null, [6]]],
    [{ $map: { input: '$nothing', in: 1 } }, null],
    [
      {
        $map: {
          input: '$list',
          as: 'a',
          in: { $map: { input: '$list', as: 'b', in: { $add: ['$$a', '$$b'] } } },
        },
      },
      [
        [2, 3, 4],
        [3, 4, 5],
        [4, 5, 6],
      ],
    ],
    [{ $filter: { input: '$list', cond: { $gt: ['$$this', 1] } } }, [2, 3]],
    [{ $filter: { input: '$list', as: 'n', cond: { $lt: ['$$n', 3] }, limit: 1 } }, [1]],
    [{ $filter: { input: '$list', cond: true, limit: '$nul' } }, [1, 2, 3]],
    [{ $filter: { input: '$nul', cond: true } }, null],
    [{ $reduce: { input: '$list', initialValue: '$one', in: { $add: ['$$value', '$$this'] } } }, 7],
    [
      { $reduce: { input: ['a', 'b'], initialValue: '', in: { $concat: ['$$this', '$$value'] } } },
      'ba',
    ],
    [{ $reduce: { input: [], initialValue: 'x', in: '$$this' } }, 'x'],
    [{ $reduce: { input: '$nothing', initialValue: 'x', in: '$$this' } }, null],
  ],
  sets: [
    [
      {
        $setUnion: [
          [2, 1],
          [1, 'a', null],
        ],
      },
      [null, 1, 2, 'a'],
    ],
    [{ $setUnion: ['$nul', '$text'] }, null],
    [{ $setUnion: [] }, []],
    [
      {
        $setIntersection: [
          [3, 2, 2, 1],
          [2, 3, 4],
        ],
      },
      [2, 3],
    ],
    [
      {
        $setIntersection: [
          [[1, 2], 1],
          [1, 2],
        ],
      },
      [1],
    ],
    [{ $setIntersection: ['$list', '$nothing'] }, null],
    [{ $setDifference: [[3, 1, 3, 2], [2]] }, [3, 1]],
    [{ $setDifference: ['$nothing', '$text'] }, null],
    [{ $setEquals: ['$list', [3, 2, 1, 1]] }, true],
    [{ $setEquals: ['$list', [1, 2], [1]] }, false],
    [{ $setIsSubset: [[2, 2], '$list'] }, true],
    [{ $setIsSubset: ['$mixed', '$list'] }, false],
    [{ $allElementsTrue: [[1, 'a', []]] }, true],
    [{ $allElementsTrue: [[]] }, true],
    [{ $allElementsTrue: '$mixed' }, false],
    [{ $anyElementTrue: [[0, null, false]] }, false],
    [{ $anyElementTrue: ['$list'] }, true],
  ],
  objects: [
    [{ $mergeObjects: ['$object', { x: 9, w: 1 }, '$nul'] }, { x: 9, y: { z: 2 }, w: 1 }],
    [{ $mergeObjects: [] }, {}],
    [{ $mergeObjects: '$nothing' }, {}],
    [{ $mergeObjects: [[{ a: 1 }, { b: 2 }]] }, { a: 1, b: 2 }],
    [
      { $objectToArray: { a: 1, b: '$one' } },
      [
        { k: 'a', v: 1 },
        { k: 'b', v: 1 },
      ],
    ],
    [{ $objectToArray: '$nul' }, null],
    [
      {
        $arrayToObject: [
          [
            ['a', 1],
            ['b', 2],
            ['a', 3],
          ],
        ],
      },
      { a: 3, b: 2 },
    ],
    [
      {
        $arrayToObject: {
          $literal: [
            { k: 'a', v: null },
            { v: 1, k: 'b.c' },
          ],
        },
      },
      { a: null, 'b.c': 1 },
    ],
    [{ $arrayToObject: [[]] }, {}],
    [{ $arrayToObject: '$nothing' }, null],
    [{ $getField: 'a.b' }, 'dotted'],
    [{ $getField: 'nothing' }, undefined],
    [{ $getField: { field: 'x', input: '$object' } }, 1],
    [{ $getField: { field: { $literal: '$x' }, input: { $literal: { $x: 3 } } } }, 3],
    [{ $getField: { $concat: ['o', 'ne'] } }, 1],
    [{ $getField: { field: 'a', input: null } }, null],
    [{ $getField: { field: 'a', input: '$nothing' } }, undefined],
    [{ $getField: { field: 'a', input: '$text' } }, undefined],
    [{ $getField: { field: 'toString', input: '$object' } }, undefined],
    [{ $setField: { field: 'x', input: '$object', value: '$text' } }, { x: 'text', y: { z: 2 } }],
    [{ $setField: { field: 'n', input: {}, value: 1 } }, { n: 1 }],
    [{ $setField: { field: 'x', input: '$object', value: '$$REMOVE' } }, { y: { z: 2 } }],
    [{ $setField: { field: 'x', input: '$nul', value: 1 } }, null],
    [{ $unsetField: { field: 'y', input: '$object' } }, { x: 1 }],
    [{ $bsonSize: {} }, 5],
    [{ $bsonSize: { a: 1 } }, 12],
    [
      { $bsonSize: { $literal: { a: 'é', b: [1.5, true, null], c: 12345678901 } } },
      5 + 3 + 7 + 3 + (5 + 3 + 8 + 3 + 1 + 3) + 3 + 8,
    ],
  ],
  texts: [
    [{ $concat: ['$text', '-', '$text'] }, 'text-text'],
    [{ $concat: [] }, ''],
    [{ $concat: ['$text', '$nothing'] }, null],
    [{ $split: ['a-b--c', '-'] }, ['a', 'b', '', 'c']],
    [{ $split: ['$nul', '-'] }, null],
    [{ $split: ['abc', 'abc'] }, ['', '']],
    [{ $strLenBytes: '$accent' }, 11],
    [{ $strLenCP: '$accent' }, 9],
    [{ $strLenCP: '$pair' }, 3],
    [{ $binarySize: '$pair' }, 6],
    [{ $binarySize: '$nul' }, null],
    [{ $toLower: 'ÀB' }, 'Àb'],
    [{ $toUpper: 'àb' }, 'àB'],
    [{ $toUpper: '$nothing' }, ''],
    [{ $toLower: 1.5 }, '1.5'],
    [{ $toLower: { $add: [0.1, 0.2] } }, '0.3'],
    [{ $toLower: 1e-7 }, '1e-07'],
    [{ $toLower: '$long' }, '12345678901'],
    [{ $strcasecmp: ['aB', 'Ab'] }, 0],
    [{ $strcasecmp: ['a', 'B'] }, -1],
    [{ $strcasecmp: ['b', '$nothing'] }, 1],
    [{ $substrCP: ['$accent', 4, 3] }, 'tér'],
    [{ $substrCP: ['$pair', 1, 1] }, '𝒳'],
    [{ $substrCP: ['$text', 9, 1] }, ''],
    [{ $substrCP: ['$nul', 0, 1] }, ''],
    [{ $substrCP: ['$long', 0, 3] }, '123'],
    [{ $substrBytes: ['$accent', 0, 5] }, 'café'],
    [{ $substrBytes: ['$text', 1, -1] }, 'ext'],
    [{ $substrBytes: ['$text', 9, 1] }, ''],
    [{ $substr: ['$text', 1.9, 2.9] }, 'ex'],
    [{ $indexOfBytes: ['$accent', 't'] }, 5],
    [{ $indexOfCP: ['$accent', 't'] }, 4],
    [{ $indexOfCP: ['$pair', 'b'] }, 2],
    [{ $indexOfBytes: ['abcabc', 'b', 2] }, 4],
    [{ $indexOfBytes: ['abc', 'c', 0, 2] }, -1],
    [{ $indexOfBytes: ['abc', '', 3] }, 3],
    [{ $indexOfBytes: ['abc', '', 4] }, -1],
    [{ $indexOfCP: ['abc', '', 3] }, -1],
    [{ $indexOfCP: ['abc', ''] }, 0],
    [{ $indexOfCP: ['', ''] }, 0],
    [{ $indexOfCP: ['abc', 'b', 2] }, -1],
    [{ $indexOfCP: ['abc', 'a', 2, 1] }, -1],
    [{ $indexOfCP: ['$nul', 'a'] }, null],
    [{ $trim: { input: ' \n\u00a0x \u2003' } }, 'x'],
    [{ $trim: { input: 'xxaxx', chars: 'x' } }, 'a'],
    [{ $ltrim: { input: '  x ' } }, 'x '],
    [{ $rtrim: { input: '  x ' } }, '  x'],
    [{ $trim: { input: 'éaé', chars: 'aé' } }, ''],
    [{ $trim: { input: '$nul' } }, null],
    [{ $trim: { input: 'x', chars: '$nothing' } }, null],
    [{ $trim: { input: ' x ', chars: '' } }, ' x '],
    [{ $replaceOne: { input: 'aaa', find: 'a', replacement: 'b' } }, 'baa'],
    [{ $replaceOne: { input: 'abc', find: '', replacement: 'x' } }, 'xabc'],
    [{ $replaceOne: { input: 'abc', find: 'b', replacement: '[$&]' } }, 'a[$&]c'],
    [{ $replaceAll: { input: 'a.b.c', find: '.', replacement: '' } }, 'abc'],
    [{ $replaceAll: { input: 'ab', find: '', replacement: '-' } }, '-a-b-'],
    [{ $replaceAll: { input: '$nul', find: 'x', replacement: 'y' } }, null],
    [{ $replaceAll: { input: 'x', find: '$nothing', replacement: 'y' } }, null],
  ],
  patterns: [
    [{ $regexMatch: { input: '$text', regex: '^T', options: 'i' } }, true],
    [{ $regexMatch: { input: '$text', regex: 'x$' } }, false],
    [{ $regexMatch: { input: '$nul', regex: 'x' } }, false],
    [{ $regexMatch: { input: '$text', regex: '$nothing' } }, false],
    [{ $regexMatch: { input: '$accent', regex: { $literal: 'ria$' } } }, true],
    [{ $regexMatch: { input: '$text', regex: '$text' } }, true],
    [
      { $regexFind: { input: 'Camel Case', regex: '([a-z]+) C(x)?' } },
      { match: 'amel C', idx: 1, captures: ['amel', null] },
    ],
    [{ $regexFind: { input: '$pair', regex: 'b' } }, { match: 'b', idx: 2, captures: [] }],
    [{ $regexFind: { input: '$text', regex: 'z' } }, null],
    [{ $regexFind: { input: '$nothing', regex: 'z' } }, null],
    [{ $regexFind: { input: 'a\n', regex: 'a$' } }, { match: 'a', idx: 0, captures: [] }],
    [
      { $regexFind: { input: 'aab', regex: '(?<x>a)\\k<x>(b)' } },
      { match: 'aab', idx: 0, captures: ['a', 'b'] },
    ],
    [
      { $regexFindAll: { input: 'ab12', regex: '[a-z]|(\\d)' } },
      [
        { match: 'a', idx: 0, captures: [null] },
        { match: 'b', idx: 1, captures: [null] },
        { match: '1', idx: 2, captures: ['1'] },
        { match: '2', idx: 3, captures: ['2'] },
      ],
    ],
    [
      { $regexFindAll: { input: 'é𝒳é', regex: 'é' } },
      [
        { match: 'é', idx: 0, captures: [] },
        { match: 'é', idx: 2, captures: [] },
      ],
    ],
    [
      { $regexFindAll: { input: 'ab', regex: 'x*' } },
      [
        { match: '', idx: 0, captures: [] },
        { match: '', idx: 1, captures: [] },
      ],
    ],
    [{ $regexFindAll: { input: '', regex: 'x*' } }, [{ match: '', idx: 0, captures: [] }]],
    [{ $regexFindAll: { input: '$nul', regex: 'x' } }, []],
  ],
  types: [
    [{ $type: '$nothing' }, 'missing'],
    [{ $type: '$nul' }, 'null'],
    [{ $type: '$one' }, 'int'],
    [{ $type: '$long' }, 'long'],
    [{ $type: '$half' }, 'double'],
    [{ $type: '$yes' }, 'bool'],
    [{ $type: '$list' }, 'array'],
    [{ $type: '$object' }, 'object'],
    [{ $type: '$text' }, 'string'],
    [{ $isNumber: '$long' }, true],
    [{ $isNumber: '$text' }, false],
    [{ $toString: 1.9 }, '1.9'],
    [{ $toString: true }, 'true'],
    [{ $toString: 1e20 }, '1e+20'],
    [{ $toString: 1.5e-7 }, '1.5e-07'],
    [{ $toString: 0.0001 }, '0.0001'],
    [{ $toString: { $divide: [4, 2] } }, '2'],
    [{ $toString: { $add: [0.1, 0.2] } }, '0.30000000000000004'],
    [{ $toString: { $toDouble: '-inf' } }, '-Infinity'],
    [{ $toString: { $toDouble: '-0' } }, '-0'],
    [{ $toString: '$nul' }, null],
    [{ $toInt: 1.9 }, 1],
    [{ $toInt: -1.9 }, -1],
    [{ $toInt: '-5' }, -5],
    [{ $toInt: '+5' }, 5],
    [{ $toInt: true }, 1],
    [{ $toInt: '$nothing' }, null],
    [textOf({ $toLong: '9223372036854775807' }), '9223372036854775807'],
    [typeOf({ $toLong: 1 }), 'long'],
    [typeOf({ $toDouble: 1 }), 'double'],
    [{ $toDouble: '1.5e3' }, 1500],
    [{ $toDouble: '.5' }, 0.5],
    [{ $toDouble: false }, 0],
    [{ $toBool: 0 }, false],
    [{ $toBool: '' }, true],
    [{ $toBool: '$list' }, true],
    [{ $toBool: '$nul' }, null],
    [{ $toBool: { $toDouble: 'NaN' } }, true],
    [{ $convert: { input: '12', to: 'int' } }, 12],
    [{ $convert: { input: '12', to: 16 } }, 12],
    [{ $convert: { input: '12', to: { type: 'int' } } }, 12],
    [{ $convert: { input: '$nul', to: 'int', onNull: 'none' } }, 'none'],
    [{ $convert: { input: '$nothing', to: 'int' } }, null],
    [{ $convert: { input: '$one', to: '$nul' } }, null],
    [{ $convert: { input: 'x', to: 'int', onError: '$text' } }, 'text'],
    [{ $convert: { input: 'x', to: 'int', onError: '$$REMOVE' } }, undefined],
    [{ $convert: { input: 2147483648, to: 'int', onError: 'no' } }, 'no'],
    [{ $convert: { input: 2147483647.5, to: 'int', onError: 'no' } }, 'no'],
    [{ $convert: { input: 1.9, to: 'object', onError: 'no' } }, 'no'],
    [{ $convert: { input: 1.9, to: 'missing', onError: 'no' } }, 'no'],
    [{ $convert: { input: '$list', to: 'string', onError: 'no' } }, 'no'],
    [{ $convert: { input: ' 1', to: 'int', onError: 'no' } }, 'no'],
    [{ $convert: { input: '1.5', to: 'int', onError: 'no' } }, 'no'],
    [{ $convert: { input: '0x1', to: 'double', onError: 'no' } }, 'no'],
    [{ $convert: { input: '1e999', to: 'double', onError: 'no' } }, 'no'],
    [{ $convert: { input: { $toDouble: 'NaN' }, to: 'long', onError: 'no' } }, 'no'],
    [{ $convert: { input: '$$REMOVE', to: 'int', onNull: 1, onError: 2 } }, 1],
  ],
  'sums and statistics': [
    [{ $sum: '$list' }, 6],
    [{ $sum: ['$list', 1] }, 1],
    [{ $sum: ['$text', '$one', 0.5] }, 1.5],
    [{ $sum: [] }, 0],
    [{ $sum: '$nothing' }, 0],
    [{ $sum: [0.1, 0.2, 0.3, 0.4] }, 1],
    [typeOf({ $sum: [1, { $toLong: 2 }] }), 'long'],
    [textOf({ $sum: [{ $toLong: '9007199254740992' }, 1] }), '9007199254740993'],
    [{ $avg: '$list' }, 2],
    [{ $avg: ['$one', '$text'] }, 1],
    [{ $avg: '$text' }, null],
    [typeOf({ $avg: [1, 3] }), 'double'],
    [{ $max: '$list' }, 3],
    [{ $max: ['$list', 5] }, [1, 2, 3]],
    [{ $min: ['$nul', '$text', 5] }, 5],
    [{ $min: '$nothing' }, null],
    [{ $max: [[]] }, null],
    [{ $stdDevPop: '$list' }, 0.816496580927726],
    [{ $stdDevSamp: '$list' }, 1],
    [{ $stdDevSamp: 1 }, null],
    [{ $stdDevPop: 'x' }, null],
    // jstests/aggregation/expressions/percentile_expression_approx.js of MongoDB.
    [percentile([0, 'x', 1, 2], [0.5]), [1]],
    [percentile([10, 5, 27], [0]), [5]],
    [percentile([27, 10, 5], [1]), [27]],
    [percentile([0, 1, 2], [0.5, 0.9, 0.1]), [1, 2, 0]],
    [percentile(['$zero', '$text', '$one', '$two', '$list'], [0.5]), [1]],
    [percentile(['$text', '$list', '$nothing'], [0.5, 0.9]), [null, null]],
    [percentile('$one', [0.5, 0.9, 0.1]), [1, 1, 1]],
    [percentile('$text', [0.5, 0.9]), [null, null]],
    [percentile('$nothing', [0.5]), [null]],
    [percentile([], [0.5]), [null]],
    [percentile([2, { $toDouble: 'NaN' }, 1, { $toDouble: '-inf' }], [0.5]), [1]],
    [percentile([4, 3, 2, 1], { $concatArrays: [[0.25], [0.26]] }), [1, 2]],
    [{ $median: { input: '$list', method: 'approximate' } }, 2],
    [{ $median: { input: [4, 1, 3, 2], method: 'approximate' } }, 2],
    [{ $median: { input: '$text', method: 'approximate' } }, null],
    [typeOf({ $median: { input: '$list', method: 'approximate' } }), 'double'],
    [{ $firstN: { n: 1, input: percentile('$list', [0.5, 1]) } }, [2]],
  ],
  'bits and angles': [
    [{ $bitAnd: [] }, -1],
    [{ $bitAnd: [12, '$nul'] }, null],
    [{ $bitAnd: [12, 10] }, 8],
    [{ $bitOr: [12, 10] }, 14],
    [{ $bitXor: [12, 10] }, 6],
    [{ $bitNot: 0 }, -1],
    [typeOf({ $bitNot: { $toLong: 0 } }), 'long'],
    [{ $bitOr: ['$long', 1] }, 12345678901],
    [{ $sin: 0 }, 0],
    [{ $cos: { $degreesToRadians: 180 } }, -1],
    [{ $radiansToDegrees: { $atan2: [1, 1] } }, 45],
    [{ $tan: '$nul' }, null],
    [{ $atan2: ['$nothing', 1] }, null],
    [{ $acosh: 1 }, 0],
    [typeOf({ $sin: 0 }), 'double'],
  ],
}

for (const [name, cases] of Object.entries(RESULTS)) {
  t.test(`${name} have MongoDB's results`, async (t) => {
    const before = JSON.stringify(ITEM)
    for (const [expression, expected] of cases) {
      const text = JSON.stringify(expression)
      t.equal(JSON.stringify(compileExpression(expression)(ITEM)), JSON.stringify(expected), text)
    }
    t.equal(JSON.stringify(ITEM), before, 'the item has not changed')
  })
}

/** Expressions that are refused before an item is read, with a part of the message. */
const PARSE_ERRORS: readonly (readonly [expression: Json, message: string])[] = [
  // Unknown and unsupported names, and malformed paths.
  [{ $foo: 1 }, '$expr.$foo is not an operator of expressions'],
  [{ a: { $foo: 1 } }, '$expr.a.$foo'],
  [{ $rand: {} }, '$expr.$rand is not supported'],
  [{ $toDate: 1 }, '$expr.$toDate is not supported'],
  [{ $add: 1, $abs: 1 }, '$expr must have the operator $add alone, not 2 keys'],
  [{ a: 1, $add: [1] }, 'must not have "$add" in its path'],
  [{ 'a.b': 1 }, 'must not have a dot in its name'],
  [{ '': 1 }, 'must not have an empty name'],
  ['$', 'empty name'],
  ['$.', 'empty name'],
  ['$a.', 'empty name'],
  ['$a..b', 'empty name'],
  ['$a.$b', '"$b"'],
  ['$a\0', 'null character'],
  ['$$', '"$$"'],
  ['$$x', '"$$x", which is not defined'],
  ['$$this', '"$$this"'],
  ['$$DESCEND', '"$$DESCEND"'],
  ['$$NOW', '$$NOW'],
  ['$$CLUSTER_TIME.x', '$$CLUSTER_TIME'],
  [`$${Array.from({ length: 201 }, () => 'a').join('.')}`, 'at most 200 names'],
  // Numbers of operands.
  [{ $subtract: [1] }, '$subtract must have 2 operands, not 1'],
  [{ $abs: [1, 2] }, '$abs must have 1 operand, not 2'],
  [{ $abs: [] }, 'must have 1 operand, not 0'],
  [{ $round: [1, 2, 3] }, 'must have 1 to 2 operands, not 3'],
  [{ $ifNull: ['$a'] }, 'must have 2 or more operands, not 1'],
  [{ $slice: ['$a'] }, 'must have 2 to 3 operands, not 1'],
  [{ $setEquals: ['$a'] }, 'must have 2 or more operands'],
  [{ $isArray: ['$a', '$b'] }, 'must have 1 operand, not 2'],
  [{ $cond: ['$a', 1] }, 'must be [if, then, else]'],
  // Named arguments.
  [{ $cond: { if: 1, then: 2 } }, '"else"'],
  [{ $cond: { if: 1, then: 2, else: 3, or: 4 } }, '"or"'],
  [{ $map: { in: 1 } }, '"input"'],
  [{ $map: [1] }, 'must be an object'],
  [{ $map: { input: '$a', as: 'X', in: 1 } }, '$map.as must name a variable'],
  [{ $map: { input: '$a', as: '', in: 1 } }, '$map.as'],
  [{ $map: { input: '$$this', in: 1 } }, '"$$this"'],
  [{ $filter: { input: '$a', cond: 1, arrayIndexAs: 'i' } }, '"arrayIndexAs"'],
  [{ $reduce: { input: '$a', in: 1 } }, '"initialValue"'],
  [{ $let: { vars: { ROOT: 1 }, in: 1 } }, '$let.vars.ROOT'],
  [{ $let: { vars: { x: '$$y', y: 1 }, in: 1 } }, '"$$y"'],
  [{ $let: { vars: 1, in: 1 } }, '$let.vars must be an object'],
  [{ $switch: { branches: [] } }, '$switch.branches must be an array of one or more'],
  [{ $switch: { branches: [{ case: 1 }] } }, '$switch.branches[0] must have the argument "then"'],
  [{ $switch: { branches: [{ case: false, then: 1 }] } }, '$switch must have a default'],
  [{ $switch: { branches: [{ case: false, then: { $abs: [] } }], default: 1 } }, '$abs'],
  [{ $zip: { inputs: [] } }, '$zip.inputs must have one or more'],
  [{ $zip: { inputs: '$a' } }, '$zip.inputs must be an array'],
  [{ $zip: { inputs: ['$a'], defaults: [1] } }, 'useLongestLength: true'],
  [{ $zip: { inputs: ['$a'], defaults: [1, 2], useLongestLength: true } }, 'as many entries'],
  [{ $zip: { inputs: ['$a'], useLongestLength: 1 } }, '$zip.useLongestLength'],
  [{ $sortArray: { input: '$a', sortBy: 2 } }, 'must be 1 or -1, not 2'],
  [{ $sortArray: { input: '$a', sortBy: {} } }, 'at least one path'],
  [{ $sortArray: { input: '$a', sortBy: { $a: 1 } } }, '"$a"'],
  [{ $getField: { input: '$a' } }, '"field"'],
  [{ $getField: 5 }, "must be a field's name, not the int 5"],
  [{ $getField: { $literal: [] } }, "must be a field's name"],
  [{ $setField: { field: '$a', input: '$b', value: 1 } }, '$setField.field must be a constant'],
  [{ $setField: { field: 1, input: '$b', value: 1 } }, '$setField.field must have names'],
  [{ $unsetField: { field: 'a', input: '$b', value: 1 } }, '"value"'],
  [{ $trim: '$a' }, '$trim must be an object'],
  [{ $replaceAll: { input: '$a', find: 'x' } }, '"replacement"'],
  [{ $firstN: { n: 1 } }, '"input"'],
  [{ $convert: { input: '$a' } }, '"to"'],
  [{ $convert: { input: '$a', to: 'int', format: 'hex' } }, '$convert.format is not supported'],
  [{ $percentile: 0.5 }, '$percentile must be an object'],
  [{ $percentile: { input: '$a', method: 'approximate' } }, '"p"'],
  [{ $percentile: { input: '$a', p: [0.5] } }, '"method"'],
  [{ $percentile: { input: '$a', p: [0.5], method: 'discrete' } }, 'must be "approximate"'],
  [{ $median: { input: '$a', p: [0.5], method: 'approximate' } }, 'has no argument "p"'],
  [{ $median: { input: '$a', method: 42 } }, '$median.method must be "approximate", not 42'],
  [percentile('$a', 0.5), '$percentile.p must be an array of one or more numbers'],
  [percentile('$a', []), '$percentile.p must be an array of one or more numbers'],
  [percentile('$a', [0.5, 'x']), '$percentile.p must have numbers from 0 to 1'],
  [percentile('$a', [10]), '$percentile.p must have numbers from 0 to 1, not the int 10'],
  [percentile('$a', ['$b']), '$percentile.p must be constant'],
  [{ $map: { input: '$a', in: percentile('$$this', '$$this') } }, 'p must be constant'],
  // Constant parts.
  [{ $divide: [1, 0] }, '$divide must not divide by zero'],
  [{ $mod: [1, 0] }, '$mod must not divide by zero'],
  [{ $add: [1, 'x'] }, '$add must be of numbers, not the string "x"'],
  [{ $add: [1, 'x', '$a'] }, '$add must be of numbers'],
  [{ $multiply: [2, [1], '$a'] }, '$multiply must be of numbers, not the array [1]'],
  [{ $concat: ['$a', 'x', 5] }, '$concat must be of strings, not the int 5'],
  [{ $concat: ['x', { $concat: ['$a', 'y'] }, 5] }, '$concat must be of strings'],
  [{ $setUnion: [[1], '$a', 'x'] }, '$setUnion must be of arrays'],
  [{ $bitAnd: [1, '$a', 0.5] }, '$bitAnd must be of int and long, not the double 0.5'],
  [{ $cond: [true, 1, { $divide: [1, 0] }] }, '$cond[2].$divide'],
  [{ $and: [false, { $divide: [1, 0] }] }, '$and[1].$divide'],
  [{ $map: { input: '$a', in: { $divide: [1, 0] } } }, '$map.in.$divide'],
  [{ $let: { vars: { x: { $toInt: 'x' } }, in: 1 } }, '$let.vars.x.$toInt'],
  [{ $abs: 'x' }, '$abs must be of a number'],
  [{ $abs: { $toLong: '-9223372036854775808' } }, 'the smallest long'],
  [{ $ln: 0 }, '$ln must be of a number above 0, not the int 0'],
  [{ $log10: -1 }, '$log10 must be of a number above 0'],
  [{ $log: [10, 1] }, '$log must have a base above 0 other than 1'],
  [{ $sqrt: -1 }, '$sqrt must be of a number from 0'],
  [{ $pow: [0, -1] }, 'a negative power'],
  [{ $round: [1, 101] }, 'from -20 to 100'],
  [{ $round: [1, -21] }, 'from -20 to 100'],
  [{ $trunc: [1, 1.5] }, 'from -20 to 100'],
  [{ $round: [{ $toLong: '9223372036854775806' }, -1] }, 'a result of 64 bits'],
  [{ $acos: 1.1 }, '$acos must be of a number from -1 to 1'],
  [{ $sin: { $toDouble: 'Infinity' } }, '$sin must be of a finite number'],
  [{ $acosh: 0 }, '$acosh must be of a number from 1'],
  [{ $bitNot: 1.5 }, '$bitNot must be of int and long'],
  [{ $arrayElemAt: [[1], 0.5] }, 'an integer of 32 bits, not the double 0.5'],
  [{ $arrayElemAt: [1, 0] }, '$arrayElemAt must be of an array, not the int 1'],
  [{ $concatArrays: [[1], 2] }, '$concatArrays must be of an array'],
  [{ $in: [1, 2] }, '$in must have an array second'],
  [{ $indexOfArray: ['x', '$a'] }, '$indexOfArray must be of an array'],
  [{ $indexOfArray: [[1], 1, -1] }, 'a start from 0'],
  [{ $range: [0, 'x'] }, '$range must have an end'],
  [{ $range: [0, 5, 0] }, 'a step other than 0'],
  [{ $range: [0, 2147483648] }, 'an integer of 32 bits'],
  [{ $size: null }, '$size must be of an array, not null'],
  [{ $slice: [[1], 0, 0] }, 'a count above 0'],
  [{ $setIsSubset: ['$a', 1] }, '$setIsSubset must be of arrays'],
  [{ $setEquals: ['$a', null] }, '$setEquals must be of arrays, not null'],
  [{ $allElementsTrue: [null] }, '$allElementsTrue must be of arrays'],
  [{ $mergeObjects: [{ a: 1 }, 1] }, '$mergeObjects must be of objects'],
  [{ $objectToArray: [[1]] }, '$objectToArray must be of an object'],
  [{ $arrayToObject: [[1]] }, '$arrayToObject must be of objects of k and v'],
  [{ $arrayToObject: [[['a', 1], { k: 'b', v: 1 }]] }, 'arrays of two'],
  [{ $arrayToObject: [[[1, 1]]] }, 'names that are strings'],
  [{ $arrayToObject: [[{ k: 'a', v: 1, w: 1 }]] }, 'objects of k and v'],
  [{ $bsonSize: 1 }, '$bsonSize must be of an object'],
  [{ $split: ['a', ''] }, 'a separator that is not empty'],
  [{ $split: ['a', 1] }, '$split must be of strings'],
  [{ $strLenCP: null }, '$strLenCP must be of strings, not null'],
  [{ $strLenBytes: 1 }, '$strLenBytes must be of strings'],
  [{ $toLower: true }, '$toLower must be of strings or numbers, not true'],
  [{ $strcasecmp: [{}, 'a'] }, '$strcasecmp must be of strings or numbers'],
  [{ $substrCP: ['a', -1, 1] }, 'a start that is an integer from 0'],
  [{ $substrCP: ['a', 0, -1] }, 'a count that is an integer from 0'],
  [{ $substrBytes: ['a', -1, 1] }, 'a start from 0'],
  [{ $substrBytes: ['é', 1, 1] }, 'must not cut a character'],
  [{ $substrBytes: ['é', 0, 1] }, 'must not cut a character'],
  [{ $indexOfCP: ['a', 1] }, '$indexOfCP must be of strings'],
  [{ $indexOfBytes: ['a', 'a', -1] }, 'a start that is an integer from 0'],
  [{ $trim: { input: 1 } }, '$trim.input must be of strings'],
  [{ $toInt: 'x' }, '$toInt has no conversion from "x" to int'],
  [{ $toInt: 2147483648 }, 'to int, which is too small'],
  [{ $toString: [[1]] }, 'from array to string'],
  [{ $convert: { input: 1, to: 'nothing' } }, '$convert.to must be the name or the number'],
  [{ $convert: { input: null, to: 'nothing' } }, '$convert.to'],
  [{ $convert: { input: 1, to: 99 } }, '$convert.to'],
  [{ $convert: { input: 1, to: 'date', onError: 1 } }, 'a conversion to date'],
  // Patterns.
  [{ $regexMatch: { input: '$a', regex: '(' } }, '$regexMatch.regex'],
  [{ $regexMatch: { input: '$a', regex: 5 } }, '$regexMatch.regex must be a string'],
  [{ $regexMatch: { input: '$a', regex: 'a', options: 'g' } }, '$regexMatch.options'],
  [{ $regexMatch: { input: '$a', regex: null, options: 1 } }, '$regexMatch.options'],
  [{ $regexMatch: { input: '$a' } }, '"regex"'],
  [{ $regexFind: { input: '$a', regex: '(?:(a)|b)*' } }, 'repeats a group whose capture'],
  [{ $regexFind: { input: '$a', regex: '(?:a?)*' } }, 'repeats a possibly empty match'],
]

t.test('what MongoDB refuses at parse time is refused before an item is read', async (t) => {
  for (const [expression, message] of PARSE_ERRORS) {
    const text = JSON.stringify(expression)
    const error = catchError(() => compileExpression(expression))
    t.match(error, { code: 'QUERY_INVALID', statusCode: 400 }, text)
    t.ok(error.message.includes(message), `${error.message} has ${message}`)
  }
})

/** Expressions that are errors for ITEM only, with a part of the message. */
const ITEM_ERRORS: readonly (readonly [expression: Json, message: string])[] = [
  [{ $add: ['$one', 1, 'x'] }, '$add must be of numbers, not the string "x"'],
  [{ $add: ['$list', 1] }, '$add must be of numbers, not the array [1,2,3]'],
  [{ $subtract: ['$text', 1] }, '$subtract must be of numbers, not the string "text"'],
  [{ $divide: ['$one', '$zero'] }, '$divide must not divide by zero'],
  [{ $divide: ['$one', 0] }, '$divide must not divide by zero'],
  [{ $concat: ['$text', '$one'] }, '$concat must be of strings, not the int 1'],
  [{ $size: '$nothing' }, '$size must be of an array, not a missing value'],
  [{ $in: [1, '$nothing'] }, '$in must have an array second, not a missing value'],
  [{ $map: { input: '$text', in: 1 } }, '$map.input must be an array, not the string "text"'],
  [{ $filter: { input: '$one', cond: 1 } }, '$filter.input must be an array'],
  [{ $filter: { input: '$list', cond: 1, limit: '$zero' } }, '$filter.limit must be an integer'],
  [{ $reduce: { input: '$object', initialValue: 1, in: 1 } }, '$reduce.input must be an array'],
  [{ $switch: { branches: [{ case: '$no', then: 1 }] } }, '$switch must have a default'],
  [{ $firstN: { n: 0, input: [1] } }, '$firstN.n must be an integer above 0'],
  [{ $maxN: { n: 1, input: '$text' } }, '$maxN.input must be an array'],
  [{ $zip: { inputs: ['$text'] } }, '$zip.inputs must be arrays'],
  [{ $setUnion: ['$text', null] }, '$setUnion must be of arrays'],
  [{ $getField: { $add: [1, 2] } }, "must be a field's name, not the int 3"],
  [{ $setField: { field: 'a', input: '$text', value: 1 } }, '$setField.input must be an object'],
  [{ $replaceOne: { input: '$one', find: null, replacement: 'x' } }, '$replaceOne.input'],
  [{ $regexMatch: { input: '$one', regex: 'x' } }, '$regexMatch.input must be a string'],
  [{ $regexMatch: { input: 'x', regex: { $concat: ['$text', '('] } } }, '$regexMatch.regex'],
  [{ $toInt: '$text' }, '$toInt has no conversion from "text" to int'],
  [{ $convert: { input: '$text', to: { $concat: ['da', 'te'] } } }, 'a conversion to date'],
  [{ $divide: [{ $multiply: ['$half', 1e308, 1e10] }, 2] }, 'JSON can express, not Infinity'],
]

t.test('a value of the wrong type is an error for an item with it only', async (t) => {
  for (const [expression, message] of ITEM_ERRORS) {
    const text = JSON.stringify(expression)
    const evaluate = compileExpression(expression)
    const error = catchError(() => evaluate(ITEM))
    t.match(error, { code: 'QUERY_INVALID', statusCode: 400 }, text)
    t.ok(error.message.includes(message), `${error.message} has ${message}`)
  }
})

interface Published {
  readonly source: string
  readonly operator: string
  readonly item?: JsonObject
  readonly cases?: readonly [operand: Json, result: Json][]
  readonly errors?: readonly Json[]
}

const PUBLISHED: readonly Published[] = JSON.parse(
  readFileSync(new URL('published.json', import.meta.url), 'utf8'),
)

t.test('published cases of expressions are exact', async (t) => {
  for (const { source, operator, item = {}, cases = [], errors = [] } of PUBLISHED) {
    const run = (operand: Json): Json | undefined =>
      compileExpression({ [operator]: operand })(item)
    for (const [operand, result] of cases) {
      const text = `${operator} of ${JSON.stringify(operand)} in ${source}`
      t.equal(JSON.stringify(run(operand)), JSON.stringify(result), text)
    }
    for (const operand of errors) {
      const error = catchError(() => run(operand))
      t.match(error, { statusCode: 400 }, `${operator} of ${JSON.stringify(operand)} in ${source}`)
    }
  }
})

const TEN: Json = { $range: [0, 10] }
const LONG_TEXT: Json = {
  $reduce: {
    input: { $range: [0, 30] },
    initialValue: 'x',
    in: { $concat: ['$$value', '$$value'] },
  },
}
const BOUND_ERRORS: readonly (readonly [expression: Json, message: string])[] = [
  [{ $range: [0, 1_000_000] }, 'at most 100000 steps'],
  [{ $range: ['$zero', 1_000_000] }, 'at most 100000 steps'],
  [LONG_TEXT, 'at most 100000 steps'],
  [
    {
      $reduce: {
        input: { $range: [0, 30] },
        initialValue: [1],
        in: { $concatArrays: ['$$value', '$$value'] },
      },
    },
    'at most 100000 steps',
  ],
  [
    [TEN, TEN, TEN, TEN, TEN, TEN].reduce<Json>(
      (inner, input) => ({ $map: { input, in: inner } }),
      1,
    ),
    'at most 100000 steps',
  ],
  [
    { $reduce: { input: { $range: [0, 1000] }, initialValue: [], in: ['$$value'] } },
    'at most 200 levels',
  ],
  [{ $regexMatch: { input: '$a', regex: 'x'.repeat(1001) } }, 'at most 1000 characters'],
  [
    Array.from({ length: 5 }, () => ({ $regexMatch: { input: '$a', regex: 'x'.repeat(900) } })),
    'at most 4000 characters of regular expressions',
  ],
]

t.test(
  'an expression that takes too many steps, or makes too deep a value, is refused',
  async (t) => {
    for (const [expression, message] of BOUND_ERRORS) {
      const start = performance.now()
      const error = catchError(() => compileExpression(expression)(ITEM))
      t.match(
        error,
        { code: 'BOUND_EXCEEDED', statusCode: 400 },
        JSON.stringify(expression).slice(0, 99),
      )
      t.ok(error.message.includes(message), error.message)
      t.ok(performance.now() - start < 1000, 'soon')
    }
  },
)

function catchError(run: () => unknown): Error {
  try {
    return new Error(`no error, but ${JSON.stringify(run())}`)
  } catch (error) {
    return error as Error
  }
}
