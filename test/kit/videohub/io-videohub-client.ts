// The Videohub client of the npm package io-videohub. It expects each packet to be one block, so a relay gives it the
// blocks of the server one after the other.

import { type EventEmitter, once } from 'node:events'
import { createRequire } from 'node:module'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

interface Router extends EventEmitter {
  connection: Socket
  /** By header in lower case with underscores; undefined until the first block of that kind. */
  statusObj: Record<string, string[] | undefined>
  route(output: number, input: number): boolean
  setInputLabel(input: number, label: string): boolean
}

const require = createRequire(import.meta.url)
const RouterClass = require('io-videohub') as new (options: { host: string; port: number }) => Router
const { prototype } = RouterClass as unknown as { prototype: Record<string, unknown> }
// The published version calls its method `updateStatus` by a misspelt name.
prototype.updateStateus = prototype.updateStatus

export interface IoVideohubClient {
  router: Router
  close(): void
}

export async function connectIoVideohub(port: number): Promise<IoVideohubClient> {
  const relay = createServer({ noDelay: true })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  const router = new RouterClass({ host: '127.0.0.1', port: (relay.address() as AddressInfo).port })
  relay.on('connection', (client) => {
    const server = connect(port, '127.0.0.1').setEncoding('utf8')
    client.on('error', () => {}).on('close', () => server.destroy())
    server.on('error', () => {}).on('close', () => client.destroy())
    client.pipe(server)
    void forwardBlocks(server, async (block) => {
      const received = once(router.connection, 'data')
      client.write(block)
      await received
    })
  })
  return {
    router,
    close() {
      router.connection.destroy()
      relay.close()
    }
  }
}

async function forwardBlocks(source: AsyncIterable<string>, forward: (block: string) => Promise<void>): Promise<void> {
  let rest = ''
  for await (const text of source) {
    const blocks = (rest + text).split(/(?<=\n\n)/)
    rest = blocks.at(-1)?.endsWith('\n\n') ? '' : (blocks.pop() ?? '')
    for (const block of blocks) await forward(block)
  }
}
