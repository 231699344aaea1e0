// A matrix of the NDI router for tests of the console.
import assert from 'node:assert/strict'
import { SUCCESS } from '../../../contract/codes.ts'
import { addMatrix, listMatrices, type Matrix, setMatrix } from '../../../contract/ndi/router.ts'
import { getSettings, setSettings } from '../../../contract/settings.ts'
import { linkTo } from '../../../src/paths.ts'
import { openConsole, type TestConsole } from './console.ts'
import { hub, other } from './hub-for-each.ts'
import { waitForText } from './page.ts'

const SOURCES = ['CAM 1 Altar', 'CAM 2 Pulpit', 'Graphics', 'Playout']
const DESTINATIONS = ['Foyer', 'Nursery TV', 'Stage left']

/** Adds a matrix with 4 sources and 3 destinations, none of them routed. @returns its ID */
export async function addTestMatrix(name = 'Main matrix'): Promise<number> {
  const { id, result } = await other.send(addMatrix, {
    name,
    machine: name.slice(0, 20),
    sources: SOURCES.map((label) => ({ label, name: `STUDIO (${label})` })),
    destinations: DESTINATIONS.map((label) => ({ label }))
  })
  assert.equal(result, SUCCESS)
  return id
}

/** Sets the name under which the hub announces its NDI sources. */
export async function setNdiMachineName(name: string): Promise<void> {
  const discovery = (await other.send(getSettings, {})).settings['ndi-discovery']
  assert.ok(discovery)
  await other.send(setSettings, { 'ndi-discovery': { ...discovery, 'machine-name': name } })
}

export async function matrixOf(id: number): Promise<Matrix> {
  const { list } = await other.send(listMatrices, {})
  const matrix = list.find((candidate) => candidate.id === id)
  assert.ok(matrix)
  return matrix
}

/** Sources of the destinations, in the order of the destinations. */
export const routesOf = async (id: number): Promise<number[]> =>
  (await matrixOf(id)).destinations.map(({ source }) => source)

/** Reverses the list of sources, as another console. The routes follow their sources. */
export async function reverseSources(id: number): Promise<void> {
  const { sources } = await matrixOf(id)
  const reversed = sources.map(({ name, label }) => ({ name, label })).reverse()
  assert.equal((await other.send(setMatrix, { id, sources: reversed })).result, SUCCESS)
}

/** Opens the console on the page of a matrix. */
export async function openMatrix(id: number, user = 'Admin'): Promise<TestConsole> {
  const page = await openConsole(hub, { at: linkTo('ndiMatrix', { matrixId: String(id) }), user })
  await waitForText('Nursery TV')
  return page
}
