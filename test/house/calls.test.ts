import assert from 'node:assert/strict'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import type { Call } from '../../contract/call.ts'
import { startHub } from '../kit/hub/hub.ts'
import { projectFiles, root } from './sources.ts'

const test = suite('calls')

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
}

const load = (path: string) => import(pathToFileURL(join(root, path)).href) as Promise<Record<string, unknown>>

/** All calls that the modules of the contract export. */
async function contractCalls(): Promise<Call[]> {
  const modules = projectFiles().filter((path) => /^contract\/(?!requests\b)[\w/-]+\.ts$/.test(path))
  const loaded = await Promise.all(modules.map(load))
  return loaded.flatMap((exports) => Object.values(exports).filter(isCall))
}

const named = ({ method, path }: Call) => `${method} ${path}`

test('every call of the contract has a request schema', async () => {
  const { listDeclaredCalls } = await load('contract/requests.ts')
  const shaped = (listDeclaredCalls as () => Call[])()
  const calls = await contractCalls()
  assert.ok(calls.length > 20, 'the calls were not found')
  assert.deepEqual(calls.map(named).sort(), shaped.map(named).sort())
})

test('no two calls have the same method and path', async () => {
  const names = (await contractCalls()).map(named)
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    []
  )
})

test('the hub handles every call of the contract', async () => {
  const hub = await startHub()
  try {
    const client = hub.client()
    const unanswered: string[] = []
    for (const call of await contractCalls()) {
      const { status } = await client.raw(call.method, `/api${call.path}`)
      if (status === 404 || status === 405) unanswered.push(named(call))
    }
    assert.deepEqual(unanswered, [])
  } finally {
    await hub.close()
  }
})

test.run()
