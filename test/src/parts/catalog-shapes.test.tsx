// Device groups of hubs that list them as trees or without the fields of this hub, and the ids that the console sends.

import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SUCCESS } from '../../../contract/codes.ts'
import { ROUTES } from '../../../src/paths.ts'
import * as catalogs from '../../../src/state/catalogs.ts'
import { openConsole, type TestConsole } from '../../kit/console/console.ts'
import { hub, hubForEach } from '../../kit/console/hub-for-each.ts'
import { click, findByRole, visibleText } from '../../kit/console/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('shapes of device groups')

hubForEach(test)

const names = (nodes: readonly catalogs.CatalogNode[]): unknown[] =>
  nodes.map(({ catalog, children }) => [catalog.name, names(children)])

const EXPECTED = [
  [
    'Campus',
    [
      ['Hall', [['Stage', []]]],
      ['Aula', []]
    ]
  ],
  ['Annex', []]
]

const STAGE = { id: 30_003, name: 'Stage' }
const HALL = { id: 30_002, name: 'Hall', childs: [STAGE] }
const AULA = { id: 30_004, name: 'Aula' }
const CAMPUS = { id: 30_001, name: 'Campus', childs: [HALL, AULA] }
const ANNEX = { id: 30_005, name: 'Annex', childs: [] }
const withParent = ({ childs: _, ...group }: { id: number; name: string; childs?: object[] }, parent: number) => ({
  ...group,
  'parent-id': parent
})

const LISTS: Readonly<Record<string, readonly object[]>> = {
  'trees of groups': [CAMPUS, ANNEX],
  'one tree with a root': [{ id: -1, name: 'All', isRoot: true, isOpen: true, childs: [CAMPUS, ANNEX] }],
  'a tree below the entry for devices without a group': [{ id: 0, name: '', isRoot: true, childs: [CAMPUS, ANNEX] }],
  'a flat list': [
    withParent(CAMPUS, 0),
    withParent(HALL, CAMPUS.id),
    withParent(STAGE, HALL.id),
    withParent(AULA, CAMPUS.id),
    withParent(ANNEX, 0)
  ],
  'a flat list with the groups below in each': [
    { ...CAMPUS, 'parent-id': 0 },
    { ...HALL, 'parent-id': CAMPUS.id },
    { ...STAGE, 'parent-id': HALL.id },
    { ...AULA, 'parent-id': CAMPUS.id },
    { ...ANNEX, 'parent-id': 0 }
  ],
  'a flat list with a root that has a negative id': [
    withParent({ id: -1, name: 'All' }, -1),
    withParent(CAMPUS, -1),
    withParent(HALL, CAMPUS.id),
    withParent(STAGE, HALL.id),
    withParent(AULA, CAMPUS.id),
    withParent(ANNEX, -1)
  ]
}

/** Answers `catalog/list` in place of the hub. */
async function openWith(list: readonly object[]): Promise<TestConsole> {
  const console = await openConsole(hub, { at: ROUTES.allDevices })
  console.intercept = (path) =>
    path.startsWith('/api/catalog/list') ? Response.json({ result: SUCCESS, total: list.length, list }) : undefined
  await catalogs.$catalogs.refresh()
  return console
}

const treeItems = () => [...document.querySelectorAll<HTMLElement>('.menu [role=treeitem]')]
const treeLines = () => treeItems().map((item) => visibleText((item.firstElementChild ?? item) as HTMLElement))

for (const [shape, list] of Object.entries(LISTS))
  test(`${shape} becomes the same tree`, async () => {
    const stop = catalogs.$catalogTree.listen(() => {})
    await openWith(list)
    assert.deepEqual(names(catalogs.$catalogTree.get()), EXPECTED)
    stop()
    await until(() => treeLines().length === 6, 'the groups and the entry for devices without a group')
    assert.deepEqual(treeLines(), ['Campus 0', 'Hall 0', 'Stage 0', 'Aula 0', 'Annex 0', 'No group'])
  })

test('a group that the hub lists as closed begins closed, and opens', async () => {
  await openWith([{ ...CAMPUS, isOpen: false }, ANNEX])
  await until(() => treeLines().includes('Campus 0'), 'the group')
  assert.deepEqual(treeLines(), ['Campus 0', 'Annex 0', 'No group'])
  const [campus] = treeItems()
  assert.equal(campus?.getAttribute('aria-expanded'), 'false')
  await click(campus?.querySelector('[data-turn]') as HTMLElement)
  await until(() => treeLines().includes('Hall 0'), 'its groups')
  assert.equal(campus?.getAttribute('aria-expanded'), 'true')
})

test('the console sends an id below 0 as 0 in each write of a group', async () => {
  const console = await openConsole(hub, { at: ROUTES.allDevices })
  const sent: [path: string, body: Record<string, unknown>][] = []
  console.intercept = (path, body) => {
    if (!path.startsWith('/api/catalog/') || body === undefined) return undefined
    sent.push([path, JSON.parse(body)])
    return Response.json({ result: SUCCESS, id: 1 })
  }
  await catalogs.createCatalog(-1, 'x')
  await catalogs.renameCatalogById(-1, 'x')
  await catalogs.deleteCatalogById(-1, 'x')
  await catalogs.sendDevicesTo(-1, ['X'])
  await catalogs.sendCatalogSecurity(-1, { 'is-inherit': 1 })
  assert.deepEqual(
    sent.map(([path, { id }]) => [path.slice('/api'.length), id]),
    [
      ['/catalog/add', 0],
      ['/catalog/rename', 0],
      ['/catalog/del', 0],
      ['/catalog/set', 0],
      ['/catalog/set', 0]
    ]
  )
  assert.equal(sent[0]?.[1]['parent-id'], 0)
  await findByRole('navigation', 'Main menu')
})

test.run()
