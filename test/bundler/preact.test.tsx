// The build removes unused parts of Preact. The rest must render like the complete package.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import * as whole from 'preact'
import * as wholeHooks from 'preact/hooks'
import { rollup } from 'rollup'
import { suite } from 'uvu'
import { minify } from '../../bundler/minify.ts'
import { sources, TREESHAKE } from '../../bundler/sources.ts'
import { waitForEffects } from '../kit/console/page.ts'

type Preact = typeof whole & typeof wholeHooks

const test = suite('preact')

const ENTRY = join(import.meta.dirname, '../../src/entry.ts')

/** Returns Preact as the build bundles it. */
async function buildPreact(): Promise<Preact> {
  const entry = {
    name: 'entry',
    resolveId: (id: string) => (id === ENTRY ? id : null),
    load: (id: string) =>
      id === ENTRY
        ? `export { createElement, Fragment, render } from 'preact'
           export { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'`
        : null
  }
  const bundle = await rollup({ input: ENTRY, treeshake: TREESHAKE, plugins: [entry, sources(), minify()] })
  const { output } = await bundle.generate({ format: 'es' })
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`)
}

/** Renders with a Preact into a new element. `set` changes the state that `draw` renders. */
function createRoot<State>({ createElement, render, useState }: Preact, draw: (state: State) => unknown, first: State) {
  const host = document.createElement('div')
  document.body.append(host)
  let set: (state: State) => void = () => {}
  function Root() {
    const [state, change] = useState(first)
    set = change
    return draw(state) as whole.VNode
  }
  render(createElement(Root, null), host)
  return { host, set: (state: State) => set(state) }
}

/** Waits until rendering and effects have finished. */
async function settled(): Promise<void> {
  // An effect may set a state, which is rendered, and has effects in turn.
  for (let turn = 0; turn < 3; turn++) await waitForEffects()
}

/** A reproducible random number generator. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

interface Leaf {
  key?: number
  kind: number
  leaves: readonly Leaf[]
}

/** Creates a random tree of elements, components, fragments, texts and empty nodes, some with keys. */
function grow(throwDice: (sides: number) => number, depth = 0): Leaf[] {
  const keys = [0, 1, 2, 3, 4, 5, 6, 7].filter(() => throwDice(3)).sort(() => throwDice(3) - 1)
  const keyed = throwDice(2) === 0
  return keys.slice(0, throwDice(8)).map((key) => ({
    ...(keyed && { key }),
    kind: throwDice(6),
    leaves: depth < 3 ? grow(throwDice, depth + 1) : []
  }))
}

/** Returns a function that renders a tree with a Preact and logs its effects. */
function painter({ createElement: h, Fragment, useLayoutEffect, useRef, useState }: Preact, log: string[]) {
  function Counted({ leaf }: { leaf: Leaf }) {
    const first = useRef(leaf.kind)
    const [doubled, double] = useState(0)
    // Sets state during rendering.
    if (doubled !== leaf.leaves.length * 2) double(leaf.leaves.length * 2)
    useLayoutEffect(() => {
      log.push(`layout ${leaf.key}`)
      return () => log.push(`layout over ${leaf.key}`)
    }, [leaf.key])
    useLayoutEffect(() => {
      log.push(`effect ${leaf.leaves.length}`)
      return () => log.push(`effect over ${leaf.leaves.length}`)
    }, [leaf.leaves.length])
    return [first.current, doubled, leaf.leaves.map(paint)] as never
  }
  /** Has a ref, which is null when its element is removed. */
  function Named({ leaf }: { leaf: Leaf }) {
    const b = useRef<Element>(null)
    useLayoutEffect(() => void log.push(`b ${b.current?.childNodes.length}`))
    return h('b', { ref: leaf.leaves.length > 4 ? undefined : b }, leaf.leaves.map(paint) as whole.ComponentChild[])
  }
  function paint(leaf: Leaf): unknown {
    const { key, kind, leaves } = leaf
    const inner = leaves.map(paint) as whole.ComponentChild[]
    if (kind === 0) return h('p', { key, className: `p${leaves.length}` }, ...inner)
    if (kind === 1) return h(Counted, { key, leaf })
    if (kind === 2) return h(Fragment, { key }, inner)
    if (kind === 3) return `text ${leaves.length}`
    if (kind === 4) return leaves.length > 2 && h(Named, { key, leaf })
    return h('svg', { key, className: 'drawn' }, h('path', { d: `M${leaves.length}` }), inner)
  }
  return paint
}

test('changing trees render equally and run the same effects', async () => {
  const throwDice = dice(7)
  const logs: [string[], string[]] = [[], []]
  const both = [await buildPreact(), { ...whole, ...wholeHooks } as Preact].map((preact, index) => {
    const paint = painter(preact, logs[index] as string[])
    return createRoot<Leaf[]>(preact, (leaves) => leaves.map(paint), [])
  })
  for (let round = 0; round < 60; round++) {
    const leaves = grow(throwDice)
    for (const { set } of both) set(leaves)
    await settled()
    const [ours, theirs] = both.map(({ host }) => host.innerHTML)
    assert.equal(ours, theirs, `round ${round}`)
  }
  assert.ok(logs[0].length > 200)
  assert.deepEqual(logs[0], logs[1])
})

test('properties of elements are set, changed and removed equally', async () => {
  const called: string[] = []
  const states: Record<string, unknown>[] = [
    {
      className: 'a',
      title: 'x',
      hidden: true,
      'data-on': '',
      'aria-hidden': false,
      style: { width: '1px', color: 'red' }
    },
    { className: 'b', tabIndex: -1, inert: true, 'data-on': undefined, style: { color: 'blue', '--level': '2' } },
    {
      id: 'i',
      style: undefined,
      role: 'note',
      onClickCapture: () => called.push('on its way'),
      onClick: () => called.push('first')
    },
    { id: 'i', popover: 'manual', onClick: () => called.push('second'), draggable: false },
    {}
  ]
  const fields: Record<string, unknown>[] = [
    { value: 'a', checked: true, disabled: true },
    { value: 'b', checked: false, maxLength: 3 },
    { value: '', checked: true, placeholder: 'p', 'aria-invalid': true },
    {},
    { value: 'c' }
  ]
  const results = []
  for (const preact of [await buildPreact(), { ...whole, ...wholeHooks } as Preact]) {
    const { createElement: h } = preact
    const draw = (round: number) => [
      h('div', states[round] as object),
      h('input', { type: 'checkbox', ...fields[round] }),
      h('input', fields[round] as object),
      h('textarea', { value: fields[round]?.value as string }),
      h('progress', { max: 4, value: round || undefined }),
      h('a', { href: round % 2 ? '#/x' : undefined, download: round > 2 || undefined }),
      h('td', { colSpan: round })
    ]
    const { host, set } = createRoot<number>(preact, draw, 0)
    const snapshots: unknown[] = []
    for (let round = 0; round < states.length; round++) {
      set(round)
      await settled()
      host.querySelector('div')?.click()
      const boxes = [...host.querySelectorAll('input')]
      snapshots.push(
        host.innerHTML,
        boxes.map(({ value, checked }) => [value, checked])
      )
      snapshots.push(host.querySelector('textarea')?.value, [...called])
      called.length = 0
    }
    results.push(snapshots)
  }
  assert.deepEqual(results[0], results[1])
  assert.ok(JSON.stringify(results[0]).includes('second'))
})

test('an error during rendering is thrown', async () => {
  const { createElement: h, render, useLayoutEffect } = await buildPreact()
  function Drawn(): never {
    throw new Error('drawn')
  }
  function After() {
    useLayoutEffect(() => {
      throw new Error('after')
    })
    return 'text'
  }
  assert.throws(() => render(h('p', null, h(Drawn, null)), document.createElement('div')), /drawn/)
  assert.throws(() => render(h('p', null, h(After, null)), document.createElement('div')), /after/)
})

test.run()
