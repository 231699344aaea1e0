import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import type { ClientHttp2Session } from 'node:http2'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { getSession } from '../../../contract/access/session.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { withOpenedHub } from '../../kit/cloud/opened-hub.ts'
import { withFolder } from '../../kit/cloud/registered-hub.ts'
import { suite } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suite('slow browsers behind the relay')

/** Bytes of a file, which is more than the system buffers for a connection, and browsers that do not read it. */
const SIZE = 24 << 20
const BROWSERS = 12
/** Bytes that cloud and hub together may hold for such a browser, with what HTTP/2 has on its way. */
const HELD_MAX = 512 << 10
/** Times in a row that a number has to be the same. */
const UNCHANGED = 10

/** A console with a large file. It has compressed copies, so that the hub does not make them. */
function writeConsole(folder: string): void {
  writeFileSync(join(folder, 'index.html'), '<html lang="en"></html>')
  writeFileSync(join(folder, 'large.bin'), randomBytes(SIZE))
  for (const extension of ['br', 'gz']) writeFileSync(join(folder, `large.bin.${extension}`), '')
}

/** Bytes of this process outside of the heap of JavaScript, where what is on its way is kept. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().arrayBuffers
}

test('what browsers do not read is held by the hub, and calls are answered meanwhile', () =>
  withFolder((dist) => {
    writeConsole(dist)
    return withOpenedHub(async ({ open, cloud, webPort, sn }) => {
      const visitor = await open()
      const headers = { host: visitor.host, cookie: visitor.cookie, 'accept-encoding': 'identity' }
      const session = cloud.links.linkOf('headend', sn)?.session as ClientHttp2Session
      const before = heldBytes()
      const responses = await Promise.all(
        Array.from({ length: BROWSERS }, async () => {
          const sent = request({ host: '127.0.0.1', port: webPort, path: '/large.bin', headers, agent: false }).end()
          const [response] = (await once(sent, 'response')) as [IncomingMessage]
          return response.on('error', () => {})
        })
      )
      const received = () => session.socket.bytesRead
      let [last, unchanged] = [0, 0]
      await until(() => {
        unchanged = received() === last ? unchanged + 1 : 0
        last = received()
        return unchanged > UNCHANGED
      }, 'nothing is sent any more')
      assert.ok(received() < BROWSERS * SIZE, 'the files have not arrived')
      const held = () => Math.round((heldBytes() - before) / BROWSERS)
      // Memory that was used on the way is released some time after it is garbage.
      await until(
        () => held() < HELD_MAX,
        () => `${held()} bytes are held`
      )
      assert.equal((await visitor.send(getSession, {})).result, SUCCESS)
      for (const response of responses) response.destroy()
    }, dist)
  }))

test.run()
