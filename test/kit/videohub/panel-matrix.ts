// A matrix of a hub with an open port for panels.
import assert from 'node:assert/strict'
import { SUCCESS } from '../../../contract/codes.ts'
import { addMatrix, listMatrices, type Matrix, type PanelSettings, setMatrix } from '../../../contract/ndi/router.ts'
import type { Client } from '../hub/hub.ts'
import { freeTcpPort } from '../net/free-port.ts'
import { until } from '../until.ts'

export interface PanelMatrix {
  id: number
  port: number
}

interface MatrixSize {
  inputs?: number
  outputs?: number
  /** Label of all destinations. */
  label?: string
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

export const sourcesNamed = (count: number) =>
  numbers(count).map((n) => ({ label: `Camera ${n}`, name: `STUDIO (Camera ${n})` }))

/** Adds a matrix with sources `Camera n` and destinations `Wall n`. */
export async function addTestMatrix(user: Client, inputs = 4, outputs = 4, label?: string): Promise<number> {
  const { id, result } = await user.send(addMatrix, {
    name: `Studio ${inputs}x${outputs}`,
    machine: `Wall${inputs}x${outputs}`,
    sources: sourcesNamed(inputs),
    destinations: numbers(outputs).map((n) => ({ label: label ?? `Wall ${n}` }))
  })
  assert.equal(result, SUCCESS)
  return id
}

export async function readMatrix(user: Client, id: number): Promise<Matrix> {
  const matrix = (await user.send(listMatrices, {})).list.find((each) => each.id === id)
  assert.ok(matrix)
  return matrix
}

/** Sets some of the panel settings; the others keep their values. */
export async function setPanel(user: Client, id: number, panel: Partial<PanelSettings>): Promise<void> {
  const { enable, port, destinations, 'allow-ip': allowed } = (await readMatrix(user, id)).panel
  const settings = { enable, port, destinations, 'allow-ip': allowed, ...panel }
  assert.equal((await user.send(setMatrix, { id, panel: settings })).result, SUCCESS)
}

/** Adds a matrix and opens its port. */
export async function openPanelMatrix(
  user: Client,
  { inputs = 4, outputs = 4, label, ...panel }: MatrixSize & Partial<PanelSettings> = {}
): Promise<PanelMatrix> {
  const id = await addTestMatrix(user, inputs, outputs, label)
  const port = await freeTcpPort()
  await setPanel(user, id, { enable: true, port, ...panel })
  await waitForState(user, id, 'listening')
  return { id, port }
}

export async function waitForState(user: Client, id: number, state: string): Promise<void> {
  let current = ''
  const read = async () => {
    current = (await readMatrix(user, id)).panel.state ?? ''
  }
  await read()
  await until(() => {
    if (current !== state) void read()
    return current === state
  }, `panel port ${state}`)
}
