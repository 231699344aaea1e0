import assert from 'node:assert/strict'
import { createElement as h, type RefObject, useRef } from 'react'
import { suite } from 'uvu'
import { rootOf } from '../../../src/draw/tree.ts'

const test = suite('properties')

function stage() {
  const host = document.createElement('div')
  document.body.append(host)
  return { host, set: rootOf(host), html: () => host.innerHTML }
}

test('attributes are set, changed and taken away', () => {
  const { set, html } = stage()
  set(<p className="a" title="x" hidden data-on="" aria-hidden={false} draggable={false} tabIndex={-1} />)
  assert.equal(
    html(),
    '<p class="a" title="x" hidden="" data-on="" aria-hidden="false" draggable="false" tabindex="-1"></p>'
  )
  set(<p className="b" title={undefined} hidden={false} data-on={true} draggable tabIndex={-2} />)
  assert.equal(html(), '<p class="b" data-on="true" draggable="true" tabindex="-2"></p>')
  set(<p />)
  assert.equal(html(), '<p></p>')
})

test('a label says what it is for, and a key is no attribute', () => {
  const { set, html } = stage()
  const rest = { key: 'k', htmlFor: 'x' }
  set(h('label', rest, 'X'))
  assert.equal(html(), '<label for="x">X</label>')
})

test('styles are set, changed and taken away by their names in CSS', () => {
  const { host, set } = stage()
  const style = () => host.querySelector('p')?.style
  set(<p style={{ margin: '1px', '--level': 2 } as object} />)
  assert.deepEqual([style()?.marginTop, style()?.getPropertyValue('--level')], ['1px', '2'])
  set(<p style={{ '--level': 3 } as object} />)
  assert.deepEqual([style()?.marginTop, style()?.getPropertyValue('--level')], ['', '3'])
  set(<p />)
  assert.equal(style()?.getPropertyValue('--level'), '')
})

test('the handler that there is hears, once, and none when there is none', () => {
  const { host, set } = stage()
  const heard: string[] = []
  const say = (what: string) => () => heard.push(what)
  const click = () => {
    heard.length = 0
    host.querySelector('b')?.dispatchEvent(new Event('click', { bubbles: true }))
    return heard.join()
  }
  set(h('p', { onClick: say('p') }, h('b', { onClick: say('b') })))
  assert.equal(click(), 'b,p')
  set(h('p', { onClick: say('q'), onClickCapture: say('on its way') }, h('b')))
  assert.equal(click(), 'on its way,q')
  set(h('p', { onClick: undefined }, h('b', { onClick: say('b') })))
  assert.equal(click(), 'b')
  set(h('p', { onClick: say('p') }, h('b', { onClick: say('c') })))
  assert.equal(click(), 'c,p')
})

test('a handler that answers false prevents nothing', () => {
  const { host, set } = stage()
  set(h('a', { href: '#x', onClick: () => false }))
  const event = new Event('click', { cancelable: true })
  host.querySelector('a')?.dispatchEvent(event)
  assert.equal(event.defaultPrevented, false)
})

test('a field has the value it is given, and is left alone where it has it already', () => {
  const { host, set } = stage()
  const draw = (value: string) => set(<input value={value} title={`${value}!`} onInput={() => {}} />)
  draw('a')
  const input = host.querySelector('input') as HTMLInputElement
  let sets = 0
  const { get, set: change } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value') ?? {}
  Object.defineProperty(input, 'value', {
    get,
    set(value) {
      sets++
      change?.call(this, value)
    }
  })
  // The user types, and the console follows.
  change?.call(input, 'ab')
  input.setSelectionRange(1, 1)
  draw('ab')
  assert.deepEqual([input.value, sets, input.selectionStart], ['ab', 0, 1])
  // It does not take what was typed.
  change?.call(input, 'abc')
  draw('ab')
  assert.deepEqual([input.value, sets], ['ab', 1])
  // One that is given none is the user's.
  change?.call(input, 'mine')
  set(<input title="x" />)
  assert.equal(host.querySelector('input')?.value, 'mine')
})

test('a box is checked, unchecked and neither, whatever the user made of it', () => {
  const { host, set } = stage()
  const draw = (checked: boolean, indeterminate = false) =>
    set(<input type="checkbox" checked={checked} {...{ indeterminate }} onChange={() => {}} />)
  draw(false)
  const box = host.querySelector('input') as HTMLInputElement
  box.checked = true
  draw(false)
  assert.equal(box.checked, false)
  draw(true, true)
  assert.deepEqual([box.checked, box.indeterminate], [true, true])
  assert.equal(box.hasAttribute('indeterminate'), false)
})

test('a list has its value also when its options come with it, or change', () => {
  const { host, set } = stage()
  const draw = (value: string, options: string) =>
    set(
      <select value={value} onChange={() => {}}>
        {[...options].map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    )
  const list = () => host.querySelector('select')?.value
  draw('b', 'abc')
  assert.equal(list(), 'b')
  draw('d', 'cda')
  assert.equal(list(), 'd')
  const select = host.querySelector('select') as HTMLSelectElement
  select.value = 'a'
  draw('d', 'cda')
  assert.equal(list(), 'd')
})

test('a place has its element as long as that is there, also when another takes it over', () => {
  const { set } = stage()
  let place: RefObject<HTMLElement | null> | undefined
  let other: RefObject<HTMLElement | null> | undefined
  function Holder({ shows }: { shows: 'p' | 'b' | 'other' | '' }) {
    place = useRef<HTMLElement>(null)
    other = useRef<HTMLElement>(null)
    if (shows === 'b') return [<b key="b" ref={place} />]
    return shows && [<p key="p" ref={(shows === 'other' ? other : place) as RefObject<HTMLParagraphElement>} />]
  }
  const names = () => [place?.current?.localName, other?.current?.localName]
  set(<Holder shows="p" />)
  assert.deepEqual(names(), ['p', undefined])
  set(<Holder shows="b" />)
  assert.deepEqual(names(), ['b', undefined])
  set(<Holder shows="other" />)
  assert.deepEqual(names(), [undefined, 'p'])
  set(<Holder shows="" />)
  assert.deepEqual(names(), [undefined, undefined])
})

test.run()
