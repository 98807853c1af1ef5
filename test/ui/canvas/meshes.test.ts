import t from 'tap'
import type { Test } from 'tap'

import {
  ATOM_LABEL,
  createBallMesh,
  createLabelMesh,
  createRodMesh,
  mixColors,
  parseColor,
} from '../../../src/ui/structure/gl/meshes.js'
import type { LabelAtlas, Mesh, Piece, Renderer } from '../../../src/ui/structure/gl/renderer.js'
import { createAxes, createStructure } from '../../../src/ui/structure/gl/scene.js'
import type { SceneContent } from '../../../src/ui/structure/gl/scene.js'
import { replace } from '../../replace.js'

/** What a renderer was given. */
interface Recorded {
  readonly pieces: Piece[]
  readonly labels: (readonly number[])[]
  atlas?: LabelAtlas
  kind?: string
}

function createRenderer(): { renderer: Renderer; recorded: Recorded } {
  const recorded: Recorded = { pieces: [], labels: [] }
  const renderer = {
    createMesh(_shape: unknown, pieces: readonly Piece[], kind: string) {
      recorded.pieces.push(...pieces)
      recorded.kind = kind
      return {} as Mesh
    },
    createLabels(labels: readonly (readonly number[])[], atlas: LabelAtlas) {
      recorded.labels.push(...labels)
      recorded.atlas = atlas
      return {} as Mesh
    },
  }
  return { renderer: renderer as unknown as Renderer, recorded }
}

const round = (values: readonly number[]): number[] =>
  values.map((each) => Math.round(each * 10_000) / 10_000)

t.test('colours of CSS are parsed', async (t) => {
  t.same(round(parseColor('#ff8000')), [1, 0.502, 0])
  t.same(round(parseColor('rgb(51, 102, 204)')), [0.2, 0.4, 0.8])
  t.same(round(parseColor('rgb(25.5, 0, 255)')), [0.1, 0, 1])
})

// The values of sRGB's transfer function (IEC 61966-2-1).
t.test('colours are drawn in linear light', async (t) => {
  const { renderer, recorded } = createRenderer()
  const position = [1, 2, 3] as const
  const colors = ['#ffffff', '#808080', '#0b0b0b', '#0a0a0a', '#000000']
  createBallMesh(
    renderer,
    colors.map((color) => ({ position, radius: 0.7, color })),
  )
  t.same(
    recorded.pieces.map(({ color }) => round(color)),
    [1, 0.2159, 0.0033, 0.003, 0].map((each) => [each, each, each]),
  )
  t.match(recorded, { kind: 'solid', pieces: [{ base: position, axis: [0, 0.7, 0], radius: 0.7 }] })
})

const mix = (share: number): number[] =>
  parseColor(mixColors('#204060', '#f0a005', share)).map((each) => Math.round(255 * each))

t.test('a mixture is between both colours', async (t) => {
  t.same(mix(0), [0x20, 0x40, 0x60])
  t.same(mix(1), [0xf0, 0xa0, 0x05])
  const gray = parseColor(mixColors('#000000', '#ffffff', 0.5))
  t.same(round(gray), [0.7354, 0.7354, 0.7354], 'half of the light seems bright')
  const dark = parseColor(mixColors('#000000', '#ffffff', 0.002))
  t.same(round(dark), [0.0258, 0.0258, 0.0258])
})

t.test('a rod leads from one point to the other', async (t) => {
  const { renderer, recorded } = createRenderer()
  createRodMesh(renderer, [{ from: [1, 1, 1], to: [2, 4, 6], color: '#ffffff' }], 0.1, 'flat')
  t.match(recorded, {
    kind: 'flat',
    pieces: [{ base: [1, 1, 1], axis: [1, 3, 5], radius: 0.1, color: [1, 1, 1] }],
  })
})

/** Returns what was drawn on the canvas of the labels. */
const listDrawn = ({ atlas }: Recorded) =>
  (atlas as unknown as { readonly canvas: ReturnType<typeof createCanvas> }).canvas.texts

/** A canvas that records the texts that are drawn, with the middle of each. */
const createCanvas = () => {
  const texts: (readonly [kind: string, text: string, x: number, y: number, width: number])[] = []
  const context = {
    strokeText: (...drawn: [string, number, number, number]) => texts.push(['rim', ...drawn]),
    fillText: (...drawn: [string, number, number, number]) => texts.push(['letters', ...drawn]),
  }
  return { width: 0, height: 0, texts, context, getContext: () => context }
}

t.test('equal labels share a place of a picture, which each finds', async (t) => {
  replace(t, globalThis, 'document', { createElement: createCanvas } as never)
  const { renderer, recorded } = createRenderer()
  const texts = Array.from({ length: 20 }, (_, index) => `T${index}`)
  const labels = [...texts, 'T1'].map((text, index) => ({
    position: [index, 0, 0] as const,
    radius: 0.5,
    text,
  }))
  createLabelMesh(renderer, labels, ATOM_LABEL)
  const { atlas, labels: placed } = recorded
  t.match(atlas, { columns: 16, rows: 2, canvas: { width: 2048, height: 128 } })
  t.match(atlas, {
    canvas: {
      context: {
        font: /^600 \d+px /,
        textAlign: 'center',
        textBaseline: 'middle',
        lineJoin: 'round',
        fillStyle: ATOM_LABEL.color,
        strokeStyle: ATOM_LABEL.rim,
      },
    },
  })
  t.same(placed[0], [0, 0, 0, 0.5, 0, 0.5], 'the first is at the upper left')
  t.same(placed[15], [15, 0, 0, 0.5, 15 / 16, 0.5])
  t.same(placed[17], [17, 0, 0, 0.5, 1 / 16, 0])
  t.same(placed[20], [20, 0, 0, 0.5, 1 / 16, 0.5], 'as T1')
  const drawn = listDrawn(recorded)
  t.equal(drawn.length, 40)
  t.same(drawn[0], ['rim', 'T0', 64, 32, 116])
  t.same(drawn[1], ['letters', 'T0', 64, 32, 116])
  t.same(drawn[35], ['letters', 'T17', 192, 96, 116])
})

t.test('labels that the picture has no room for are left out', async (t) => {
  replace(t, globalThis, 'document', { createElement: createCanvas } as never)
  const { renderer, recorded } = createRenderer()
  const labels = Array.from({ length: 514 }, (_, index) => ({
    position: [0, 0, 0] as const,
    radius: 1,
    text: `T${index}`,
  }))
  createLabelMesh(renderer, labels, { color: '#ffffff', height: 1 })
  t.equal(recorded.labels.length, 512)
  t.equal(listDrawn(recorded).length, 512, 'without a rim')
})

/** Makes meshes, and returns the kind of each with its pieces, or with its labels and their height. */
function listMeshes(t: Test, create: (renderer: Renderer) => unknown): unknown[][] {
  replace(t, globalThis, 'document', { createElement: createCanvas } as never)
  const meshes: unknown[][] = []
  create({
    createMesh: (_shape: unknown, pieces: readonly Piece[], kind: string) =>
      meshes.push([kind, pieces]),
    createLabels: (labels: readonly (readonly number[])[], _atlas: unknown, height: number) =>
      meshes.push(['label', labels.map((each) => each.slice(0, 4)), height]),
  } as unknown as Renderer)
  return meshes
}

t.test('a structure consists of balls, halves of bonds, edges and labels', async (t) => {
  const content: SceneContent = {
    sites: ['O', 'H', '?'].map((symbol) => ({ symbol, label: '', coordinate: [0, 0, 0] })),
    picture: {
      atoms: [0, 1, 2].map((site) => ({ site, position: [site, 0, 0], cell: [0, 0, 0] })) as never,
      halfBonds: [
        { site: 0, from: [0, 0, 0], to: [0.5, 0, 0], isCut: false },
        { site: 1, from: [1, 0, 0], to: [1.5, 0, 0], isCut: true },
      ],
      edges: [
        [
          [0, 0, 0],
          [0, 4, 0],
        ],
      ],
      atomCount: 3,
      bondCount: 1,
    },
    hasLabels: true,
    hasEdges: true,
    theme: { lineColor: '#ffffff', background: '#000000' },
  }
  const bounds = { center: [0, 0, 0], halfSize: [2, 10, 3], radius: 10 } as const
  const create = (change: Partial<SceneContent>) =>
    listMeshes(t, (renderer) => createStructure(renderer, { ...content, ...change }, bounds))
  const [balls, bonds, edges, labels] = create({})
  // The radii are those of Cordero 2008: 0.66 Å for O and 0.31 Å for H.
  t.match(balls, [
    'solid',
    [0.15 + 0.26 * 0.66, 0.15 + 0.26 * 0.31, 0.4].map((radius, site) => ({
      base: [site, 0, 0],
      radius,
    })),
  ])
  t.match(bonds, [
    'solid',
    [
      { base: [0, 0, 0], axis: [0.5, 0, 0], radius: 0.09 },
      { base: [1, 0, 0], axis: [0.5, 0, 0], radius: 0.09 },
    ],
  ])
  const [, [red, white]] = bonds as [string, [Piece, Piece]]
  t.equal(red.color[0], 1, 'a half has the colour of its atom')
  t.same(round(white.color), [0.45, 0.45, 0.45], 'a bond that is cut fades')
  t.match(edges, ['flat', [{ axis: [0, 4, 0], radius: 0.04, color: [1, 1, 1] }]])
  t.match(labels, [
    'label',
    [
      [0, 0, 0],
      [1, 0, 0],
      [2, 0, 0],
    ],
    1.65,
  ])
  const kinds = (change: Partial<SceneContent>) => create(change).map(([kind]) => kind)
  t.same(kinds({ hasLabels: false, hasEdges: false }), ['solid', 'solid'])
  const bare = { ...content.picture, halfBonds: [], edges: [] }
  t.same(kinds({ picture: bare }), ['solid', 'label'])
})

t.test('the axes have one length, whatever the cell', async (t) => {
  const axes = {
    directions: [
      [2, 0, 0],
      [0, 0.5, 0],
      [0, 0, 0],
    ],
    names: ['a', 'b', 'c'],
  } as const
  const [rods, balls, labels] = listMeshes(t, (renderer) => createAxes(renderer, axes, '#ffffff'))
  const ends = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 0],
  ]
  t.match(rods, ['solid', ends.map((axis) => ({ base: [0, 0, 0], axis, radius: 0.05 }))])
  t.match(balls, [
    'solid',
    [[0, 0, 0], ...ends].map((base, index) => ({ base, radius: index === 0 ? 0.09 : 0.15 })),
  ])
  t.same(labels, [
    'label',
    [
      [1.38, 0, 0, 0.2],
      [0, 1.38, 0, 0.2],
      [0, 0, 0, 0.2],
    ],
    5.75,
  ])
  const [colors = [], others = []] = [rods, balls].map((mesh = []) =>
    (mesh[1] as Piece[]).map(({ color }) => color.join()),
  )
  t.equal(new Set(others).size, 4)
  t.same(others.slice(1), colors, 'each end has the colour of its rod')
})
