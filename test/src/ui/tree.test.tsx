import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { Tree, type TreeNode } from '../../../src/ui/tree.tsx'
import { mount } from '../../kit/console/mount.ts'
import { until } from '../../kit/until.ts'

const test = suite('tree')

const NODES: readonly TreeNode[] = [
  {
    id: 'a',
    label: 'Hall A',
    children: [
      { id: 'a1', label: 'Stage' },
      { id: 'a2', label: 'Balcony' }
    ]
  },
  { id: 'b', label: 'Box office' }
]

function showTree() {
  const selections: string[] = []
  const host = mount(<Tree label="Groups" nodes={NODES} selected="b" onSelect={(id) => selections.push(id)} />)
  const items = () => [...host.querySelectorAll<HTMLElement>('[role=treeitem]')]
  const item = (id: string) => host.querySelector<HTMLElement>(`[data-id=${id}]`)
  const focusedId = () => (document.activeElement as HTMLElement).dataset.id
  async function press(key: string, then: () => boolean): Promise<void> {
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    await until(then, `${key} (at ${focusedId()})`)
  }
  return { host, selections, items, item, focusedId, press }
}

test('the selected item is the only tab stop', () => {
  const { items } = showTree()
  assert.deepEqual(
    items().map((item) => [item.dataset.id, item.tabIndex, item.getAttribute('aria-selected')]),
    [
      ['a', -1, 'false'],
      ['a1', -1, 'false'],
      ['a2', -1, 'false'],
      ['b', 0, 'true']
    ]
  )
})

test('arrow keys move the focus, expand and collapse as the ARIA pattern requires', async () => {
  const { item, focusedId, press, items } = showTree()
  item('a')?.focus()
  await press('ArrowLeft', () => items().length === 2)
  await press('ArrowDown', () => focusedId() === 'b')
  assert.equal(item('b')?.tabIndex, 0)
  await press('ArrowUp', () => focusedId() === 'a')
  await press('ArrowRight', () => item('a')?.getAttribute('aria-expanded') === 'true')
  assert.equal(item('a1')?.getAttribute('aria-level'), '2')
  await press('ArrowRight', () => focusedId() === 'a1')
  await press('ArrowDown', () => focusedId() === 'a2')
  await press('ArrowDown', () => focusedId() === 'b')
  await press('Home', () => focusedId() === 'a')
  await press('End', () => focusedId() === 'b')
  await press('ArrowUp', () => focusedId() === 'a2')
  await press('ArrowLeft', () => focusedId() === 'a')
  await press('ArrowLeft', () => items().length === 2)
  await press('ArrowLeft', () => focusedId() === 'a')
})

test('when the focused item is removed, the selected item is the tab stop again', async () => {
  const { item, press, items } = showTree()
  item('a2')?.focus()
  await until(() => item('a2')?.tabIndex === 0, 'the stop')
  await press('ArrowLeft', () => item('a')?.tabIndex === 0)
  item('a2')?.focus()
  await until(() => item('a2')?.tabIndex === 0, 'the stop')
  item('a')?.querySelector<HTMLElement>('[data-turn]')?.click()
  await until(() => items().length === 2, 'shut')
  assert.equal(item('b')?.tabIndex, 0)
})

test('a letter focuses the next item that starts with it; Enter and Space select', async () => {
  const { item, focusedId, press, selections } = showTree()
  item('b')?.focus()
  await press('h', () => focusedId() === 'a')
  await press('Enter', () => selections.length === 1)
  await press('b', () => focusedId() === 'a2')
  await press('b', () => focusedId() === 'b')
  await press(' ', () => selections.length === 2)
  assert.deepEqual(selections, ['a', 'b'])
})

test('a click on the arrow collapses and expands, a click on the name selects', async () => {
  const { item, selections, items } = showTree()
  item('a')?.querySelector<HTMLElement>('[data-turn]')?.click()
  await until(() => items().length === 2, 'no branch')
  item('a')?.querySelector<HTMLElement>('[data-turn]')?.click()
  await until(() => items().length === 4, 'the branch')
  assert.deepEqual(selections, [])
  item('a2')?.querySelector<HTMLElement>('.cut')?.click()
  assert.deepEqual(selections, ['a2'])
})

test.run()
