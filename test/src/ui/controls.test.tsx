import assert from 'node:assert/strict'
import { atom } from 'nanostores'
import { useState } from 'react'
import { suite } from 'uvu'
import { setLanguage } from '../../../src/text/language.ts'
import { Badge } from '../../../src/ui/badge.tsx'
import { Button } from '../../../src/ui/button.tsx'
import { Meter } from '../../../src/ui/chart/meter.tsx'
import { CopyButton } from '../../../src/ui/copy-button.tsx'
import { ElapsedTime } from '../../../src/ui/elapsed-time.tsx'
import { MenuButton } from '../../../src/ui/menu-button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../src/ui/placeholder.tsx'
import { SearchBox } from '../../../src/ui/search-box.tsx'
import { SegmentedControl } from '../../../src/ui/segmented-control.tsx'
import { Pager } from '../../../src/ui/table/pager.tsx'
import { useStore } from '../../../src/ui/use-store.ts'
import { mount } from '../../kit/console/mount.ts'
import { until } from '../../kit/until.ts'

const test = suite('controls')

test.before.each(() => setLanguage('en'))

function key(name: string): void {
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }))
}

test('a component re-renders when its store changes, and when it is given another store', async () => {
  const [first, second] = [atom('a'), atom('x')]
  let turn = (_: boolean) => {}
  function Shown() {
    const [other, setOther] = useState(false)
    turn = setOther
    return <p>{useStore(other ? second : first)}</p>
  }
  const host = mount(<Shown />)
  const showsText = (text: string) => until(() => host.textContent === text, text)
  first.set('b')
  await showsText('b')
  turn(true)
  await showsText('x')
  second.set('y')
  await showsText('y')
  assert.equal(first.lc, 0)
})

test('a busy or disabled button ignores clicks, has the ARIA state, and keeps the focus', () => {
  let pressed = 0
  const host = mount(
    <>
      <Button label="Add" busy onClick={() => pressed++} />
      <Button label="Delete" disabled tooltip="You may not" onClick={() => pressed++} />
      <Button label="Stop" onClick={() => pressed++} />
    </>
  )
  const buttons = host.querySelectorAll('button')
  for (const button of buttons) button.click()
  assert.equal(pressed, 1)
  assert.equal(buttons[0]?.getAttribute('aria-busy'), 'true')
  assert.equal(buttons[1]?.getAttribute('aria-disabled'), 'true')
  assert.equal(buttons[1]?.dataset.tip, 'You may not')
  assert.equal(buttons[1]?.disabled, false)
})

test('an icon-only button has its label as name and tooltip', () => {
  const button = mount(<Button iconOnly icon="edit" label="Rename" />).querySelector('button')
  assert.equal(button?.textContent, '')
  assert.equal(button?.getAttribute('aria-label'), 'Rename')
  assert.equal(button?.dataset.tip, 'Rename')
})

test('a badge shows a count, and nothing at 0', () => {
  const host = mount(
    <>
      <Badge count={0} />
      <Badge count={9999} />
      <Badge count={3} label="failures" />
    </>
  )
  assert.deepEqual(
    [...host.querySelectorAll('.badge')].map((badge) => badge.textContent),
    ['9999', '3 failures']
  )
})

test('one option of a segmented control is pressed', () => {
  let selection = ''
  const host = mount(
    <SegmentedControl
      label="View"
      value="list"
      options={[
        { value: 'list', label: 'List' },
        { value: 'view', label: 'Pictures' }
      ]}
      onChange={(value) => {
        selection = value
      }}
    />
  )
  const [list, view] = host.querySelectorAll('button')
  assert.equal(list?.getAttribute('aria-pressed'), 'true')
  assert.equal(view?.textContent, 'Pictures')
  view?.click()
  assert.equal(selection, 'view')
})

test('a search starts after a pause or on Enter, and the box follows a value set elsewhere', async () => {
  const searches: string[] = []
  let set = (_: string) => {}
  function Box() {
    const [value, setValue] = useState('')
    set = setValue
    const search = (text: string) => {
      searches.push(text)
      setValue(text)
    }
    return <SearchBox label="Search" value={value} onSearch={search} />
  }
  const input = mount(<Box />).querySelector('input') as HTMLInputElement
  const type = (text: string) => {
    input.value = text
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }
  type('h')
  type('ha')
  await until(() => searches.length > 0, 'the search')
  assert.deepEqual(searches, ['ha'])
  type('hall')
  await until(() => input.value === 'hall', 'the new value')
  input.focus()
  key('Enter')
  await until(() => searches.length > 1, 'the second search')
  assert.deepEqual(searches, ['ha', 'hall'])
  set('')
  await until(() => input.value === '', 'emptied')
})

test('a menu opens with the focus on its first item, arrow keys move it, and a selection closes the menu', async () => {
  const selections: string[] = []
  const item = (label: string, more = {}) => ({ label, onSelect: () => void selections.push(label), ...more })
  const host = mount(
    <MenuButton label="More" items={[item('Edit'), item('Copy', { disabled: true }), item('Delete')]} />
  )
  const opener = host.querySelector('button') as HTMLButtonElement
  opener.click()
  await until(() => document.activeElement?.textContent === 'Edit', 'the first item')
  assert.equal(opener.getAttribute('aria-expanded'), 'true')
  key('ArrowUp')
  assert.equal(document.activeElement?.textContent, 'Delete')
  key('ArrowUp')
  ;(document.activeElement as HTMLElement).click()
  assert.deepEqual(selections, [])
  key('End')
  ;(document.activeElement as HTMLElement).click()
  assert.deepEqual(selections, ['Delete'])
  await until(() => opener.getAttribute('aria-expanded') === 'false', 'closed')
  assert.equal(document.activeElement, opener)
})

test('the pager goes to other pages, and leaves a page that no longer exists', async () => {
  let shrink = (_: number) => {}
  function Paged() {
    const [start, go] = useState(0)
    const [total, setTotal] = useState(25)
    shrink = setTotal
    return <Pager start={start} count={10} goTo={go} total={total} />
  }
  const host = mount(<Paged />)
  const showsText = (text: string) => until(() => host.querySelector('.num')?.textContent === text, text)
  const next = () => host.querySelector<HTMLElement>('[aria-label="Next page"]')
  await showsText('1-10 of 25')
  next()?.click()
  await showsText('11-20 of 25')
  next()?.click()
  await showsText('21-25 of 25')
  assert.equal(next()?.getAttribute('aria-disabled'), 'true')
  shrink(12)
  await showsText('11-12 of 12')
  shrink(10)
  await until(() => host.textContent === '', 'no pager')
})

test('a meter shows its number, and a critical value not by colour alone', () => {
  const host = mount(
    <>
      <Meter label="CPU" value={0.34} text="34 %" />
      <Meter label="Disk" value={1.2} text="full" />
    </>
  )
  const bars = host.querySelectorAll('meter')
  assert.deepEqual(
    [...bars].map((bar) => [bar.getAttribute('value'), bar.getAttribute('aria-valuetext')]),
    [
      ['0.34', '34 %'],
      ['1.2', 'full']
    ]
  )
  assert.deepEqual(
    [...host.querySelectorAll('.state')].map((state) => state.textContent),
    ['full']
  )
})

test('an elapsed time has the exact time as tooltip and is not negative', () => {
  const timestamp = Date.now() - 11_520_500
  const time = mount(<ElapsedTime since={timestamp} />).querySelector('time')
  assert.equal(time?.textContent, '3 h 12 min')
  assert.equal(time?.dateTime, new Date(timestamp).toISOString())
  assert.match(time?.dataset.tip ?? '', /\d\d:\d\d:\d\d/)
  assert.equal(mount(<ElapsedTime since={Date.now() + 60_000} />).textContent, '0 s')
})

test('an error can be retried, and an empty list offers an action', () => {
  let tried = 0
  const host = mount(
    <>
      <ErrorState text="Cannot connect to server" onRetry={() => tried++} />
      <EmptyState title="No devices yet" text="Enter the address in a device." />
      <Skeleton />
    </>
  )
  host.querySelector('button')?.click()
  assert.equal(tried, 1)
  assert.match(host.querySelector('[role=alert]')?.textContent ?? '', /Cannot connect to server/)
  assert.match(host.textContent ?? '', /Enter the address/)
  assert.equal(host.querySelectorAll('.skeleton i').length, 3)
})

test('a text is copied without access to the clipboard API, and the button confirms it', async () => {
  const own = Object.getOwnPropertyDescriptor(navigator, 'clipboard')
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })
  const copied: string[] = []
  document.execCommand = () => copied.push((document.activeElement as HTMLTextAreaElement).value) > 0
  const button = mount(<CopyButton text="srt://hub:9000" label="Copy address" />).querySelector('button')
  assert.equal(button?.getAttribute('aria-label'), 'Copy address')
  button?.click()
  await until(() => button?.getAttribute('aria-label') === 'Copied', 'the confirmation')
  if (own) Object.defineProperty(navigator, 'clipboard', own)
  assert.deepEqual(copied, ['srt://hub:9000'])
  assert.equal(document.querySelector('textarea'), null)
})

test.run()
