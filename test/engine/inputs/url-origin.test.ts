import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createOrigin, type OriginParts } from '../../../engine/inputs/create-origin.ts'
import { urlInput } from '../../kit/engine/wanted-channels.ts'

const test = suite('URL origin')

const countServers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length

test('an origin that is released during the lookup of its host opens no proxy afterwards', async () => {
  const servers = countServers()
  const lookup = Promise.withResolvers<string>()
  const context = { resolveHost: () => lookup.promise } as unknown as OriginParts
  const origin = createOrigin(urlInput(2, 'http://source.test:1/a.ts'), context)
  const command = origin.command()
  await origin.release()
  lookup.resolve('127.0.0.1')
  await assert.rejects(command)
  assert.equal(countServers(), servers)
})

test.run()
