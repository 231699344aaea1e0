import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as permissions from '../../contract/access/permissions.ts'
import type { Call } from '../../contract/call.ts'
import { CLOUD_CALL_SCHEMAS, cloudSchemaOf } from '../../contract/cloud/calls.schema.ts'
import { CLOUD_CALLS } from '../../contract/cloud/calls.ts'
import { NOT_LOGGED_IN } from '../../contract/codes.ts'
import { startCloud } from '../kit/cloud/cloud.ts'
import { suite } from '../kit/runner/suite.ts'

const test = suite('calls of the cloud')

/** Permissions by their bits. Types of groups have the numbers of some. */
const PERMISSION_NAMES = Object.entries(permissions).filter(
  ([name, value]) => permissions.PERMISSION_BITS.includes(Number(value)) && !name.startsWith('GROUP_')
)

/** The permissions of a mask, one of which is enough. */
const accessName = ({ access }: Call) =>
  typeof access === 'string'
    ? access
    : PERMISSION_NAMES.filter(([, value]) => permissions.hasAnyBit(access, Number(value)))
        .map(([name]) => name)
        .join(', ')

test('every call is declared, documented with its permission, and answered', async () => {
  const names = CLOUD_CALLS.map(({ method, path }) => `${method} ${path}`)
  assert.equal(new Set(names).size, names.length)
  for (const name of Object.keys(CLOUD_CALL_SCHEMAS)) assert.ok(names.includes(name), name)
  for (const call of CLOUD_CALLS) assert.ok(cloudSchemaOf(call)?.summary, call.path)
  const text = readFileSync(join(resolve(import.meta.dirname, '../..'), 'docs/architecture/cloud.md'), 'utf8')
  const rows = [...text.matchAll(/^\| `(\w+) \/api(\S+)` \| ([\w, ]+) \|/gm)]
  assert.deepEqual(
    rows.map(([, method, path, access]) => `${method} ${path} ${access}`).sort(),
    CLOUD_CALLS.map((call) => `${call.method} ${call.path} ${accessName(call)}`).sort()
  )
  const cloud = await startCloud()
  try {
    for (const call of CLOUD_CALLS) {
      const response = await cloud.client().raw(call.method, `/api${call.path}`)
      assert.equal(response.status, 200, call.path)
      if (call.access !== 'public') assert.equal((await response.json()).result, NOT_LOGGED_IN, call.path)
    }
  } finally {
    await cloud.close()
  }
})

test('the examples of a call are valid requests', () => {
  for (const [name, { request, examples }] of Object.entries(CLOUD_CALL_SCHEMAS))
    for (const example of examples) assert.ok(request.safeParse(example).success, name)
})

test('a page of another site can make no call', async () => {
  const cloud = await startCloud()
  try {
    const client = await cloud.clientAs()
    const foreign: Record<string, string>[] = [{ origin: 'http://evil.example' }, { 'sec-fetch-site': 'cross-site' }]
    for (const headers of foreign)
      for (const { method, path } of CLOUD_CALLS)
        assert.equal((await client.raw(method, `/api${path}`, { headers })).status, 403)
  } finally {
    await cloud.close()
  }
})

test.run()
