import assert from 'node:assert/strict'
import { type ReactNode, useLayoutEffect, useState } from 'react'
import { suite } from 'uvu'
import { rootOf } from '../../../src/draw/tree.ts'
import { mount, unmount } from '../../kit/mount.ts'
import { drawn } from '../../kit/page.ts'
import { dice } from './dice.ts'
import { gatherStray } from './stray.ts'

const test = suite('tree')

/** Draws what `set` gives, again and again in the same place. */
function stage() {
  const host = document.createElement('div')
  document.body.append(host)
  const set = rootOf(host)
  return { host, set, html: () => host.innerHTML }
}

/** What a new place shows of it. */
function naive(what: ReactNode): string {
  const { set, html } = stage()
  set(what)
  return html()
}

test('lists of any order are drawn as if anew, and each element with a key stays the same', () => {
  const throwDice = dice(3)
  const { host, set, html } = stage()
  const elements = new Map<number, Element>()
  for (let round = 0; round < 300; round++) {
    const keys = Array.from({ length: 12 }, (_, key) => key)
      .filter(() => throwDice(4))
      .sort(() => throwDice(3) - 1)
    const list = keys.map((key) =>
      key % 4 ? (
        <li key={key} data-key={key}>
          {key}
        </li>
      ) : (
        <Twins key={key} of={key} />
      )
    )
    set(list)
    assert.equal(html(), naive(list), `round ${round}`)
    const there = new Map(
      [...host.querySelectorAll('[data-key]')].map((one) => [Number(one.getAttribute('data-key')), one])
    )
    for (const [key, element] of there) assert.equal(elements.get(key) ?? element, element, `round ${round}, ${key}`)
    elements.clear()
    for (const [key, element] of there) elements.set(key, element)
  }
})

function Twins({ of }: { of: number }) {
  return (
    <>
      <li data-key={of}>first</li>
      <li>second of {of}</li>
    </>
  )
}

interface Leaf {
  key?: number
  kind: number
  leaves: readonly Leaf[]
}

/** A tree of elements, components, fragments, texts and nothings, some of which have keys, and some the same one. */
function grow(throwDice: (sides: number) => number, depth = 0): Leaf[] {
  const keyed = throwDice(2) === 0
  return Array.from({ length: throwDice(7) }, () => ({
    ...(keyed && { key: throwDice(9) }),
    kind: throwDice(7),
    leaves: depth < 3 ? grow(throwDice, depth + 1) : []
  }))
}

function paint({ key, kind, leaves }: Leaf): ReactNode {
  const inner = leaves.map(paint)
  if (kind === 0)
    return (
      <p key={key} className={`p${leaves.length}`}>
        {inner}
      </p>
    )
  if (kind === 1) return <Inner key={key} leaves={leaves} />
  if (kind === 2) return inner
  if (kind === 3) return `text ${leaves.length}`
  if (kind === 4) return leaves.length > 2 && <Inner key={key} leaves={leaves} />
  if (kind === 5) return leaves.length
  return (
    <svg key={key} aria-hidden="true">
      <path d={`M${leaves.length}`} />
      {inner}
    </svg>
  )
}

/** How many of its leaves a component leaves out. */
const left = new WeakMap<readonly Leaf[], number>()
/** Components that are shown: what each draws, and how it is drawn on its own. */
const shown = new Map<object, { leaves: readonly Leaf[]; again: () => void }>()

function Inner({ leaves }: { leaves: readonly Leaf[] }) {
  const [id] = useState({})
  const [, draw] = useState({})
  useLayoutEffect(() => {
    shown.set(id, { leaves, again: () => draw({}) })
    return () => void shown.delete(id)
  }, [leaves])
  return leaves.slice(left.get(leaves)).map(paint)
}

test('trees that change in any way, as a whole and in parts, are drawn as if anew', async () => {
  const throwDice = dice(7)
  const { set, html, host } = stage()
  const alike = (leaves: readonly Leaf[], round: string) => {
    const other = stage()
    other.set(leaves.map(paint))
    assert.ok(html() === other.html(), `${round}:\n${html()}\n${other.html()}`)
    other.set(null)
  }
  for (let round = 0; round < 150; round++) {
    const leaves = grow(throwDice)
    set(leaves.map(paint))
    alike(leaves, `round ${round}`)
    for (const { leaves: own, again } of [...shown.values()]) {
      if (throwDice(2)) continue
      left.set(own, throwDice(3))
      again()
    }
    await drawn()
    alike(leaves, `round ${round}, in parts`)
  }
  set(null)
  assert.equal(host.childNodes.length, 0)
  assert.equal(shown.size, 0)
})

test('a row that moves is the only one that moves', () => {
  const { host, set } = stage()
  const list = (text: string) => set([...text].map((key) => <i key={key}>{key}</i>))
  const moves = (from: string, to: string) => {
    list(from)
    const { insertBefore } = host
    const moved: (string | null)[] = []
    host.insertBefore = (node, next) => {
      moved.push(node.textContent)
      return insertBefore.call(host, node, next) as typeof node
    }
    list(to)
    Object.assign(host, { insertBefore })
    assert.equal(host.textContent, to)
    return moved.join('')
  }
  assert.equal(moves('abcdef', 'fabcde'), 'f')
  assert.equal(moves('abcdef', 'bcdefa'), 'a')
  assert.equal(moves('abcdef', 'abdecf'), 'c')
  assert.equal(moves('abcdef', 'ace'), '')
  assert.equal(moves('ace', 'abcdef'), 'bdf')
  assert.equal(moves('abcdef', 'aebcdf'), 'e')
})

test('what has no key stays by its place, also beside what comes and goes', () => {
  const { host, set } = stage()
  const form = (fault: boolean) =>
    set(<form>{[fault && <b>fault</b>, <input key="x" />, fault ? null : 'hint', <hr key="y" />]}</form>)
  const plain = (fault: boolean) =>
    set(
      <form>
        {fault && <b>fault</b>}
        <input />
        {fault ? null : 'hint'}
      </form>
    )
  for (const draw of [plain, form]) {
    draw(false)
    const input = host.querySelector('input')
    draw(true)
    assert.equal(host.querySelector('input'), input)
    assert.equal(host.textContent, 'fault')
    draw(false)
    assert.equal(host.querySelector('input'), input)
    assert.equal(host.textContent, 'hint')
  }
})

test('lists in lists, numbers and texts are drawn, and nothing, true and false are not', () => {
  assert.equal(naive([0, '', 'a', [1, [<b key="b">2</b>, null]], true, false, undefined, ['c']]), '0a1<b>2</b>c')
  const { host, set } = stage()
  set(['a', 1])
  const [text] = host.childNodes
  set(['b', 1])
  assert.equal(host.firstChild, text)
  assert.equal(host.textContent, 'b1')
})

test('two of the same key are both drawn, and both go', () => {
  const { host, set } = stage()
  const list = (text: string) => set([...text].map((key) => <i key={key}>{key}</i>))
  for (const text of ['aab', 'baa', 'a', 'aaa', 'ba', '']) {
    list(text)
    assert.equal(host.textContent, text)
  }
})

test('what is inside an svg is of its kind, and what comes after it is not', () => {
  const { host, set } = stage()
  const Path = () => <path className="area" d="M0" />
  set(
    <p>
      <svg viewBox="0 0 1 1" aria-hidden="true">
        <g>
          <Path />
        </g>
      </svg>
      <b />
    </p>
  )
  const space = (name: string) => host.querySelector(name)?.namespaceURI?.split('/').at(-1)
  assert.deepEqual(['svg', 'g', 'path', 'b'].map(space), ['svg', 'svg', 'svg', 'xhtml'])
  assert.equal(host.querySelector('path')?.getAttribute('class'), 'area')
  assert.ok(host.querySelector('svg')?.hasAttribute('viewBox'))
})

test('the very same description is not drawn again, and what is in it draws itself', async () => {
  let count = 0
  let turn = (_: number) => {}
  let turnOuter = (_: number) => {}
  function Inside() {
    const [at, set] = useState(0)
    turn = set
    count++
    return at
  }
  function Outer({ children }: { children: ReactNode }) {
    const [at, set] = useState(0)
    turnOuter = set
    return (
      <p title={String(at)}>
        {at} {children}
      </p>
    )
  }
  const host = mount(
    <Outer>
      <Inside />
    </Outer>
  )
  turnOuter(1)
  await drawn()
  assert.deepEqual([host.textContent, count], ['1 0', 1])
  turnOuter(2)
  turn(3)
  await drawn()
  assert.deepEqual([host.textContent, count], ['2 3', 2])
})

test('a component that begins to draw something draws it where it belongs', async () => {
  let show = (_: boolean) => {}
  function Late() {
    const [shown, set] = useState(false)
    show = set
    return shown && [<i key="i">late</i>, 'r']
  }
  const host = mount(
    <>
      a{[<Late key="late" />]}
      <b>z</b>
    </>
  )
  for (const shown of [true, false, true]) {
    show(shown)
    await drawn()
    assert.equal(host.textContent, shown ? 'alaterz' : 'az')
  }
})

test('what is thrown at the first drawing reaches who draws', () => {
  function Broken(): ReactNode {
    throw new Error('broken')
  }
  assert.throws(() => mount(<Broken />), /broken/)
})

test('what is thrown later reaches the page, keeps nobody else from being drawn, and is over when it is', async () => {
  const { thrown, end } = gatherStray()
  const turns: ((_: boolean) => void)[] = []
  function Breaks({ name }: { name: string }) {
    const [broken, set] = useState(false)
    turns.push(set)
    if (broken) throw new Error(name)
    return <p>{name} is well</p>
  }
  function Whole() {
    const [broken, set] = useState(false)
    turns.push(set)
    return [<Breaks key="a" name="a" />, broken && <Throws key="c" />, <Breaks key="b" name="b" />]
  }
  function Throws(): ReactNode {
    throw new Error('c')
  }
  const host = mount(<Whole />)
  const [whole, a, b] = turns
  a?.(true)
  b?.(false)
  await drawn()
  assert.equal(String(thrown), 'Error: a')
  assert.equal(host.textContent, 'a is wellb is well')
  a?.(false)
  whole?.(true)
  await drawn()
  assert.equal(String(thrown), 'Error: a,Error: c')
  whole?.(false)
  await drawn()
  assert.equal(host.textContent, 'a is wellb is well')
  unmount(host)
  assert.equal(host.textContent, '')
  end()
})

test('the focus stays where it is when what is around it changes', async () => {
  const { host, set } = stage()
  const draw = (before: string[], after: string[]) =>
    set(
      <ul>
        {before.map((key) => (
          <li key={key}>{key}</li>
        ))}
        <li key="field">
          <input />
        </li>
        {after.map((key) => (
          <li key={key}>{key}</li>
        ))}
      </ul>
    )
  draw(['a', 'b'], ['c'])
  host.querySelector('input')?.focus()
  for (const [before, after] of [
    [['b'], ['c', 'a']],
    [[], []],
    [['x', 'c', 'y'], ['a']]
  ] as const) {
    draw([...before], [...after])
    assert.equal(document.activeElement, host.querySelector('input'))
  }
})

test.run()
