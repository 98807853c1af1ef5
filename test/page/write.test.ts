import type { Page, Route } from 'playwright-core'
import t from 'tap'

import type { Item } from '../../packages/page/src/api/item.js'
import { formatJson } from '../../packages/page/src/json/json-text.js'
import {
  applyEdit,
  diffItem,
  findConflicts,
  toUpdate,
  readNewItems,
} from '../../packages/page/src/write/item-text.js'
import { skipReason } from '../helpers/browser.js'
import { waitFor } from '../helpers/build.js'
import { editText, findBarriers, isStatusLine, servePage, visitAddress } from './open-page.js'

const skip = skipReason()

const POSCAR = `Silicon of a file
1.0
0.0 2.734 2.734
2.734 0.0 2.734
2.734 2.734 0.0
Si
2
Direct
0 0 0
0.25 0.25 0.25
`

const CIF = `data_CsCl
${['a', 'b', 'c'].map((edge) => `_cell_length_${edge} 4.123\n`).join('')}
${['alpha', 'beta', 'gamma'].map((angle) => `_cell_angle_${angle} 90\n`).join('')}
loop_
_atom_site_label
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
Cs1 0 0 0
Cl1 .5 .5 .5
`

t.test('a text is JSON, a CIF or a POSCAR', async (t) => {
  t.same(readNewItems('{"name": "a"}', ''), { kind: 'items', items: [{ name: 'a' }] })
  t.same(readNewItems('[{"a": 1}, {"a": 2}]', 'x.json'), {
    kind: 'items',
    items: [{ a: 1 }, { a: 2 }],
  })
  t.same(readNewItems('# by x\ndata_NaCl\n', ''), {
    kind: 'structure',
    format: undefined,
    name: '# by x',
  })
  t.match(readNewItems('', 'NaCl.cif'), { format: 'cif', name: 'NaCl' })
  t.match(readNewItems(POSCAR, 'POSCAR'), { format: undefined, name: 'Silicon of a file' })
  for (const [text, fileName, name] of [
    ['', '', 'New material'],
    ['\n\n  Comment  \n1.0', 'CONTCAR', 'Comment'],
    ['Comment', 'Si.vasp', 'Si'],
    ['Comment', 'Si.bulk.txt', 'Si.bulk'],
    ['Comment', 'poscar.txt', 'Comment'],
    ['x'.repeat(101), '', 'x'.repeat(100)],
  ] as const)
    t.same(readNewItems(text, fileName), { kind: 'structure', format: undefined, name })
  t.throws(() => readNewItems('Comment', 'x.JSON'), SyntaxError, 'a file of JSON is nothing else')
  t.throws(() => readNewItems('3', 'x.json'), /an item or a list of items/)
  t.throws(() => readNewItems('[1]', ''), /an item or a list of items/)
  t.throws(() => readNewItems('{', ''))
  t.throws(() => readNewItems('[]', ''), /the list has no items/)
  t.throws(() => readNewItems('Comment', '', false), SyntaxError, 'only a material is a structure')
  t.throws(() => readNewItems('5', '', false), /an item or a list of items/)
  t.match(readNewItems(POSCAR, 'POSCAR', false), { kind: 'structure' })
  t.throws(() => readNewItems('[{"a": 1},\n {"b": {"c": 1, "c": 2}}]', ''), {
    name: 'SyntaxError',
    message: 'line 2, column 17: the key "c" is there twice; name it once',
  })
  const same = '{"a": {"b": 1}, "b": [{"a": 1}, {"a": 2}], "a.b": 3}'
  t.same(readNewItems(same, ''), { kind: 'items', items: [JSON.parse(same)] })
})

t.test('an edit is the update of what has changed, and of nothing beside it', async (t) => {
  const item = {
    _id: 'a',
    name: 'b',
    tags: ['c'],
    old: 1,
    lattice: { a: 1, b: 2, vectors: { a: 3 } },
  }
  const read = (edited: object) => toUpdate(diffItem(item, JSON.stringify(edited)))
  const { old: _, ...kept } = item
  const lattice = { a: 9, vectors: { a: 4 } }
  for (const [edited, update] of [
    [item, undefined],
    [
      { ...kept, name: 'new', more: null },
      { $set: { name: 'new', more: null }, $unset: { old: '' } },
    ],
    [
      { ...item, lattice },
      { $set: { 'lattice.a': 9, 'lattice.vectors.a': 4 }, $unset: { 'lattice.b': '' } },
    ],
    [{ ...item, lattice: { 'x.y': 1 } }, { $set: { lattice: { 'x.y': 1 } } }],
    [{ ...item, tags: ['c', 'd'] }, { $set: { tags: ['c', 'd'] } }],
    [kept, { $unset: { old: '' } }],
    [{ ...item, lattice: [1] }, { $set: { lattice: [1] } }],
    [{ ...item, lattice: { $x: 1 } }, { $set: { lattice: { $x: 1 } } }],
    [
      { ...item, lattice: {} },
      { $unset: { 'lattice.a': '', 'lattice.b': '', 'lattice.vectors': '' } },
    ],
  ] as const)
    t.same(read(edited), update)
  t.throws(() => diffItem(item, '[]'), /must be a JSON object/)
  t.throws(() => diffItem(item, '{"name": "a", "name": "b"}'), /the key "name" is there twice/)
  for (const key of ['x.y', '$x', '']) {
    const odd = { ...item, [key]: 1 }
    t.throws(() => read(odd), /no path names it/, key)
    t.throws(() => diffItem(odd, JSON.stringify(item)), /no path names it/, key)
  }
})

t.test('an edit and a change of somebody else meet in a field, or do not', async (t) => {
  const item = { _id: 'a', name: 'b', old: 1, lattice: { a: 1, b: 2 } }
  const edit = diffItem(item, '{"_id": "a", "name": "mine", "lattice": {"a": 5, "b": 2}}')
  for (const [current, conflicts] of [
    [item, []],
    [{ ...item, lattice: { a: 1, b: 7 }, tags: ['new'] }, []],
    [{ ...item, name: 'mine' }, []],
    [{ ...item, name: 'theirs' }, [{ path: 'name', theirs: 'theirs' }]],
    [{ _id: 'a', name: 'b', lattice: 7 }, [{ path: 'lattice.a', theirs: undefined }]],
    [{ ...item, old: 2 }, [{ path: 'old', theirs: 2 }]],
  ] as const)
    t.same(findConflicts(item, current, edit), conflicts)
  t.same(applyEdit({ ...item, lattice: { a: 1, b: 7 } }, edit), {
    _id: 'a',
    name: 'mine',
    lattice: { a: 5, b: 7 },
  })
})

t.test('JSON is formatted with short lists on one line', async (t) => {
  const item = {
    _id: 'a',
    at: { value: [0.25, 0, 1], id: 0 },
    all: [{ id: 0 }, [1, 2]],
    none: [],
    no: {},
  }
  const text = formatJson(item)
  t.equal(
    text,
    `{
  "_id": "a",
  "at": { "value": [0.25, 0, 1], "id": 0 },
  "all": [
    { "id": 0 },
    [1, 2]
  ],
  "none": [],
  "no": {}
}`,
  )
  const lines = [61, 62].map((length) => formatJson({ a: { b: 'x'.repeat(length) } }).split('\n'))
  t.same(
    lines.map(({ length }) => length),
    [3, 5],
    'a line has at most 72 characters, without its indent',
  )
  t.equal(
    formatJson([[[1]], { a: ['b'] }, [1, 'a', null]]),
    '[\n  [[1]],\n  {\n    "a": ["b"]\n  },\n  [1, "a", null]\n]',
  )
  t.equal(formatJson({ a: undefined }), '{}')
  t.same(
    JSON.parse(formatJson({ long: Array.from({ length: 40 }, (_, index) => index) })).long[39],
    39,
  )
})

/** Drops files, by their names, on the list. */
async function drop(page: Page, files: Readonly<Record<string, string>>): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const data = new DataTransfer()
    for (const [name, text] of Object.entries(${JSON.stringify(files)}))
      data.items.add(new File([text], name))
    return data
  })()`)
  for (const type of ['dragover', 'drop'])
    await page.dispatchEvent('.list-pane', type, { dataTransfer })
}

t.test('items are created, edited, copied and deleted', { skip }, async (t) => {
  const { app, open } = await servePage(t)
  const { page, errors } = await open()
  await page.locator('tbody tr').first().waitFor()
  const size = (): number => app.store.collections.get('materials')?.size ?? 0
  const pane = page.getByRole('complementary', { name: 'The open item' })
  const shipped = size()
  const [{ item: silicon } = {}] = app.store.collections.get('materials')?.shareEntries() ?? []
  await drop(page, {
    'broken.cif': 'data_x',
    'salt.cif': CIF,
    'two.json': JSON.stringify([
      { ...silicon, _id: undefined },
      { ...silicon, _id: undefined },
    ]),
  })
  await page.locator('.toast.error', { hasText: 'broken.cif: ' }).waitFor()
  await waitFor(() => size() === shipped + 3)
  await page.locator('.toast', { hasText: 'Created 2 items' }).waitFor()
  await pane.waitFor()
  await drop(page, { 'one.json': JSON.stringify([{ ...silicon, _id: undefined }, { name: 3 }]) })
  await page.locator('.toast.error', { hasText: 'one.json: 1 of 2 items are created' }).waitFor()
  t.equal(size(), shipped + 4)
  await drop(page, { 'bare.json': '{"name": "Bare"}' })
  const completed = 'Created 1 item. The mock has completed lattice, basis'
  await page.locator('.toast', { hasText: completed }).waitFor()
  await drop(page, { POSCAR })
  await pane.getByRole('heading', { name: 'Silicon of a file' }).waitFor()
  await page.locator('.toast', { hasText: /^Created 1 item×$/ }).waitFor()
  await pane.locator('.viewer-canvas').waitFor()

  await pane.getByRole('button', { name: 'Edit' }).click()
  const edited = app.store
    .getCollection('materials')
    .shareEntries()
    .find(({ item }) => item.name === 'Silicon of a file')?.item
  t.same(await findBarriers(page), [])
  await editText(page, 'JSON of the item', '{"a')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').waitFor()
  await editText(page, 'JSON of the item', JSON.stringify({ ...edited, name: 'Edited' }))
  let held: Route | undefined
  await page.route('**/materials/*', (route) => void (held = route), { times: 1 })
  await page.getByRole('button', { name: 'Save' }).click()
  await waitFor(() => held !== undefined)
  t.equal(await page.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled'), 'true')
  await editText(page, 'JSON of the item', 'typed while it is saved')
  t.match(await page.getByLabel('JSON of the item').textContent(), '"name":"Edited"')
  await held?.continue()
  await pane.getByRole('heading', { name: 'Edited' }).waitFor()

  const materials = () => app.store.collections.get('materials')
  const before = size()
  await pane.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.locator('.toast', { hasText: /^Copied×$/ }).waitFor()
  t.equal(size(), before + 1)

  const all = JSON.stringify(
    materials()
      ?.shareEntries()
      .map(({ item }) => item),
  )
  await pane.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  t.equal(size(), before)
  t.notOk(await pane.isVisible())
  await page.getByRole('button', { name: 'Undo' }).click()
  await pane.getByRole('heading').first().waitFor()
  t.equal(
    JSON.stringify(
      materials()
        ?.shareEntries()
        .map(({ item }) => item),
    ),
    all,
    'all is as before',
  )

  await page.getByRole('button', { name: /^New / }).click()
  await editText(page, 'POSCAR, CIF or JSON', 'not a structure')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('alert').waitFor()
  const goOn = page.getByRole('button', { name: 'Keep editing' })
  for (const act of [() => goOn.click(), () => page.keyboard.press('Escape')]) {
    await page.keyboard.press('Escape')
    await goOn.waitFor()
    await act()
    await goOn.waitFor({ state: 'detached' })
    t.equal(await page.getByLabel('POSCAR, CIF or JSON').innerText(), 'not a structure')
  }
  const asking = page.waitForEvent('dialog')
  await page.evaluate('void setTimeout(() => location.reload())')
  const question = await asking
  t.equal(question.type(), 'beforeunload')
  await question.dismiss()
  await page.evaluate('history.back()')
  await goOn.click()
  t.equal(await page.getByLabel('POSCAR, CIF or JSON').innerText(), 'not a structure')
  const choose = (name: string, text: string): Promise<void> =>
    page
      .getByLabel('File', { exact: true })
      .setInputFiles([{ name, mimeType: 'text/plain', buffer: Buffer.from(text) }])
  await choose('broken.cif', 'data_x')
  await page.getByRole('alert').filter({ hasText: 'broken.cif: ' }).waitFor()
  t.equal(await page.getByLabel('POSCAR, CIF or JSON').innerText(), 'not a structure')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: /^New / }).click()
  t.equal(await page.getByRole('alert').count(), 0)
  await choose('POSCAR', POSCAR)
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  t.same(errors, [])
})

t.test('a write loses nothing of what others do', { skip }, async (t) => {
  const things = ['a', 'b', 'c'].map((id) => ({
    _id: id,
    name: `thing ${id}`,
    size: { x: 1, y: 2 },
  }))
  const { app, origin, open } = await servePage(t, { fixtures: { things } })
  const { page, requests, errors } = await open('/?resource=things&item=b')
  const pane = page.getByRole('complementary', { name: 'The open item' })
  const collection = app.store.getCollection('things')
  const items = () => collection.shareEntries().map(({ item }) => item)
  const change = (item: object): void => {
    const entry = collection.findById('b', () => true)
    if (entry !== undefined) collection.replace(entry, { ...entry.item, ...item })
  }
  const text = page.getByLabel('JSON of the item')
  const save = page.getByRole('button', { name: 'Save' })
  const editItem = async (item: object): Promise<void> => {
    await pane.getByRole('button', { name: 'Edit' }).click()
    await editText(page, 'JSON of the item', JSON.stringify({ ...things[1], ...item }))
  }
  await editItem({ size: { x: 5, y: 2 } })
  change({ size: { x: 1, y: 9 }, tags: ['theirs'] })
  await pane.getByText('theirs').waitFor()
  await save.click()
  await text.waitFor({ state: 'detached' })
  t.same(items()[1], {
    ...things[1],
    size: { x: 5, y: 9 },
    tags: ['theirs'],
    ...stamps(items()[1]),
  })

  await pane.getByText('5', { exact: true }).waitFor()
  change({ size: { x: 1, y: 2 } })
  await pane.getByText('1', { exact: true }).waitFor()
  await editItem({ name: 'mine', tags: ['theirs'], ...stamps(items()[1]) })
  change({ name: 'of somebody else', size: { x: 1, y: 4 } })
  await save.click()
  await page
    .getByRole('dialog')
    .getByRole('alert')
    .filter({ hasText: 'set name to "of somebody else"' })
    .waitFor()
  t.match(items()[1], { name: 'of somebody else' }, 'nothing is written')
  await save.click()
  await text.waitFor({ state: 'detached' })
  t.match(items()[1], { name: 'mine', size: { x: 1, y: 4 }, tags: ['theirs'] })

  await page.getByRole('button', { name: /^New / }).click()
  await page.getByLabel('JSON', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.insertText('{"name": "one"}') // in the place of the template
  await page.getByRole('button', { name: 'Create' }).dblclick()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await pane.getByRole('heading', { name: 'one' }).waitFor()
  await pane.getByRole('button', { name: 'Copy', exact: true }).dblclick()
  await page.locator('.toast', { hasText: 'Copied' }).waitFor()
  t.equal(items().length, 5, 'a double click does it once')

  await visitAddress(page, '/?resource=things&item=b')
  await pane.getByRole('heading', { name: 'mine' }).waitFor()
  await pane.getByRole('button', { name: 'Delete' }).click()
  await waitFor(() => items().length === 4)
  app.store.getCollection('things').insert({ _id: 'made', name: 'made meanwhile' })
  await page.route('**/restore', (route) => route.abort(), { times: 1 })
  const deleted = page.locator('.toast', { hasText: 'Deleted mine' })
  await deleted.getByRole('button', { name: 'Undo' }).click()
  await page.locator('.toast.error').waitFor()
  await deleted.getByRole('button', { name: 'Undo' }).click() // it can be tried again
  await pane.getByRole('heading', { name: 'mine' }).waitFor()
  t.same(
    items()
      .map(({ _id }) => _id)
      .filter((id) => String(id).length < 5),
    ['a', 'b', 'c', 'made'],
  )
  t.same(
    requests.filter((url) => url.endsWith('/__admin/fixtures/things')),
    [],
    'no list is sent back',
  )
  t.same(
    errors.filter((each) => !each.includes('ERR_FAILED')),
    [],
  )

  await pane.getByRole('button', { name: 'Edit' }).click()
  await editText(page, 'JSON of the item', '{"name": "a long text"}')
  const entry = collection.findById('b', () => true)
  if (entry !== undefined) collection.remove(entry)
  await pane.getByText('things has no item with _id "b"').waitFor()
  t.equal(await text.innerText(), '{"name": "a long text"}', 'an edit of a deleted item stays')
  await page.keyboard.insertText(' ')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
  await fetch(`${origin}/__admin/reset`, { method: 'POST' })
  await page.getByRole('heading', { name: 'thing b' }).waitFor()
})

t.test('a new item starts from a template, which its resource takes', { skip }, async (t) => {
  const { app, open } = await servePage(t)
  const { page, errors } = await open()
  const { keyboard } = page
  const dialog = page.getByRole('dialog')
  // The templates are the examples of the document, which a test of it sends for each resource.
  for (const resource of ['jobs', 'materials']) {
    await visitAddress(page, `/?resource=${resource}`)
    const { size } = app.store.getCollection(resource)
    await page.getByRole('searchbox', { name: `Search ${resource}` }).waitFor()
    await page.getByRole('button', { name: /^New / }).click()
    await dialog.getByRole('textbox').and(page.locator(':focus')).waitFor()
    await keyboard.press('Control+Enter')
    await page.locator('tr.open .badge', { hasText: 'new' }).waitFor()
    await page.locator('.item-pane:focus').waitFor()
    t.equal(app.store.getCollection(resource).size, size + 1, resource)
    t.equal(await page.locator('tr .badge', { hasText: 'new' }).count(), 1)
  }

  await visitAddress(page, '/?resource=materials')
  await page.locator('tr .badge', { hasText: 'new' }).waitFor() // although another page has it
  await page.getByRole('button', { name: /^New / }).click()
  await editText(page, 'POSCAR, CIF or JSON', '')
  await keyboard.type('{"name": "n", "la')
  await page.getByRole('option', { name: 'lattice' }).waitFor()
  await keyboard.press('Enter')
  await keyboard.type('{"type": "f')
  await page.getByRole('option', { name: 'FCC' }).waitFor()
  await keyboard.press('Enter')
  const text = dialog.getByRole('textbox')
  t.equal(await text.innerText(), '{"name": "n", "lattice": {"type": "FCC"}}')
  await editText(page, 'POSCAR, CIF or JSON', '[{"name": "n"}, {"tags": ["a", 1]}]')
  const { size } = app.store.getCollection('materials')
  await keyboard.press('Control+Enter')
  await dialog.getByRole('alert').filter({ hasText: '1 of 2 items are created' }).waitFor()
  t.equal(await page.locator('.cm-lintRange-error').innerText(), '1', 'what is wrong is marked')
  t.equal(app.store.getCollection('materials').size, size + 1)
  t.same(
    JSON.parse(await text.innerText()),
    [{ tags: ['a', 1] }],
    'what is created is not sent again',
  )
  await editText(page, 'POSCAR, CIF or JSON', '{"name": nothing}')
  await page.locator('.cm-lintRange-error', { hasText: /^[no]/ }).waitFor()
  t.same(await findBarriers(page), [])
  await keyboard.press('Tab')
  await dialog.getByRole('button', { name: 'Create' }).and(page.locator(':focus')).waitFor()
  await editText(page, 'POSCAR, CIF or JSON', '{"at":{"x":[1,2]}}')
  await dialog.getByRole('button', { name: 'Format' }).click()
  t.equal(await text.innerText(), '{\n  "at": { "x": [1, 2] }\n}')
  await keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('searchbox').fill('no item has this')
  await page.getByText('No item matches').waitFor()

  await visitAddress(page, `/?resource=bank-materials&item=${ITEMS['bank-materials']}`)
  const pane = page.locator('.item-pane')
  const copy = pane.getByRole('button', { name: 'Copy', exact: true })
  await copy.waitFor()
  await page.locator('tbody input').first().check()
  await page.getByRole('button', { name: 'Copy selected' }).waitFor()
  for (const name of ['New', 'Edit', 'Delete', 'Delete selected'])
    t.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
  await copy.click()
  await page.waitForURL(/resource=materials/) // a copy belongs to the account
  t.same(errors, [])
})

/** The fields that each write sets. */
const stamps = ({ updatedAt = null, updatedBy = null }: Item = {}): Item => ({
  updatedAt,
  updatedBy,
})

/** An item of each kind of resource that has other buttons on a server that is not read-only. */
const ITEMS = {
  materials: '9qrwAjWJdkT4eKSQ4',
  jobs: 'WcTtK8e6rPQPWSEm9',
  'bank-materials': 'xCGC96yhgdr8dEbmB',
}

t.test('a read-only server has nothing to write with', { skip }, async (t) => {
  for (const admin of [true, false]) {
    const { app, open } = await servePage(t, { readOnly: true, strict: true, admin })
    const { page, errors, requests } = await open()
    if (!admin) {
      await page.getByLabel('Username').fill('demo')
      await page.getByLabel('Password').fill('demo')
      await page.keyboard.press('Enter')
    }
    const pane = page.locator('.item-pane')
    for (const [resource, id] of Object.entries(ITEMS)) {
      await visitAddress(page, `/?resource=${resource}&item=${id}`)
      await page.getByText('Read-only server').waitFor()
      await page.getByText('Strict server').waitFor()
      await pane.getByText('The server is read-only').waitFor()
      await pane.getByRole('heading', { name: resource === 'jobs' ? 'Silicon' : 'Al2O3' }).waitFor()
      for (const name of ['New', 'Edit', 'Copy', 'Delete', 'Submit'])
        t.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
    }
    await drop(page, { POSCAR })
    await page.locator('.toast.error', { hasText: 'The server is read-only' }).waitFor()
    t.same(
      errors.filter((each) => admin || !isStatusLine(each)),
      [],
      'no write is tried',
    )
    t.equal(requests.filter((url) => /health|swagger/.test(url)).length, 1, 'one request says so')
    await app.close()
  }
})
