import { isJsonObject, toObject } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { expectSame } from '../expect.js'
import type { Probe } from '../probe.js'
import { compareStrings, findPaths, getAt, isPathSegment } from '../sample.js'
import type { Item } from '../sample.js'
import { defineGroup, needsProjection } from '../statement.js'
import type { Statement } from '../statement.js'

const { documented, assumed } = defineGroup('projection')

const STATEMENTS: readonly Statement[] = [
  documented('fields-include', 'fields with 1 returns these fields', (probe) => {
    const { items, key } = takeKey(probe)
    return expectFields(probe, items, { _id: 1, [key]: 1 }, (item) => pick(item, ['_id', key]))
  }),
  documented('fields-exclude', 'fields with 0 leaves out these fields', (probe) => {
    const { items, key } = takeKey(probe)
    return expectFields(probe, items, { [key]: 0 }, (item) => without(item, key))
  }),
  documented('fields-nested', 'fields includes a field in an object', (probe) => {
    const { items, parent, child } = takeNested(probe)
    return expectFields(probe, items, { _id: 1, [`${parent}.${child}`]: 1 }, (item) => ({
      _id: item._id,
      [parent]: pick(toObject(item[parent]), [child]),
    }))
  }),
  documented('fields-nested-exclude', 'fields excludes a field in an object', (probe) => {
    const { items, parent, child } = takeNested(probe)
    return expectFields(probe, items, { [`${parent}.${child}`]: 0 }, (item) => ({
      ...item,
      [parent]: without(toObject(item[parent]), child),
    }))
  }),
  documented('fields-change-nothing', 'fields changes no stored item', async (probe) => {
    const { items, key } = takeKey(probe)
    const query = { _id: { $in: items.map(({ _id }) => _id) } }
    await probe.list(query, { fields: { [key]: 0 } })
    expectSame((await probe.list(query)).toSorted(byId), items.toSorted(byId))
  }),
  assumed('fields-id', '_id comes along unless it is excluded', async (probe) => {
    const { items, key } = takeKey(probe)
    await expectFields(probe, items, { [key]: 1 }, (item) => pick(item, ['_id', key]))
    const [item] = items
    const path = probe.listPath({ _id: item?._id ?? '' }, { fields: { _id: 0, [key]: 1 } })
    expectSame(await probe.getData(path), [{ [key]: item?.[key] }])
  }),
  assumed('fields-empty', 'fields {} returns whole items', (probe) =>
    expectFields(probe, probe.take(1), {}, (item) => item),
  ),
  assumed('fields-array', 'fields goes through the objects of an array', (probe) => {
    const { items, path, key } = takeObjects(probe)
    return expectFields(probe, items, { _id: 1, [`${path}.${key}`]: 1 }, (item) => ({
      _id: item._id,
      [path]: (item[path] as JsonObject[]).map((each) => pick(each, [key])),
    }))
  }),
  assumed('fields-slice', '$slice returns a part of an array', (probe) => {
    const { items, path } = takeObjects(probe)
    return expectFields(probe, items, { [path]: { $slice: 1 } }, (item) => ({
      ...item,
      [path]: (item[path] as JsonObject[]).slice(0, 1),
    }))
  }),
  assumed('fields-expression', 'fields computes expressions', (probe) =>
    expectFields(probe, probe.take(1), { copy: '$_id' }, ({ _id }) => ({ _id, copy: _id })),
  ),
]

/** The statements on the fields that a list returns. Only lists that read projection have fields. */
export const FIELDS: readonly Statement[] = STATEMENTS.map(needsProjection)

const byId = (a: Item, b: Item): number => compareStrings(a._id, b._id)

/** Expects that a list of the items with some fields equals the result of a function of the whole items. */
async function expectFields(
  probe: Probe,
  items: readonly Item[],
  fields: JsonObject,
  project: (item: Item) => object,
): Promise<void> {
  const query = { _id: { $in: items.map(({ _id }) => _id) } }
  const listed = await probe.list(query, { fields })
  expectSame(listed.toSorted(byId), items.toSorted(byId).map(project))
}

const pick = (object: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)))

const without = (object: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([other]) => other !== key))

/** Takes the items that have a certain field and other fields. */
function takeKey(probe: Probe): { items: readonly Item[]; key: string } {
  const { path: key } = probe.findPath('a field beside _id', (_, path) => !path.includes('.'))
  return { items: probe.sample.filter((item) => key in item), key }
}

/** Takes the items that have a certain field in an object. */
function takeNested(probe: Probe): { items: readonly Item[]; parent: string; child: string } {
  const { path } = probe.findPath('a field in an object', (_, each) => each.split('.').length === 2)
  const [parent = '', child = ''] = path.split('.')
  const items = probe.sample.filter((item) => getAt(item, path) !== undefined)
  return { items, parent, child }
}

/** Takes the items that have an array of objects in a certain field, with a certain key. */
function takeObjects(probe: Probe): { items: readonly Item[]; path: string; key: string } {
  for (const { path } of findPaths(probe.sample)) {
    const items = probe.sample.filter((item) => isObjects(item[path]))
    const objects = items.flatMap((item) => item[path] as JsonObject[])
    const key = objects.flatMap(Object.keys).find((each) => isPathSegment(each))
    if (key !== undefined) return { items, path, key }
  }
  throw probe.createLack('a field with an array of objects')
}

const isObjects = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isJsonObject)
