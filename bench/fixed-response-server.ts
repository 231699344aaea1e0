// The reference for HTTP on this machine: plain node:http that answers all requests with the response sent by the
// parent process.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FixedResponse {
  headers: Record<string, string>
  /** Base64. With `json` the value is serialized again for each response, as an API has to. */
  body: string
  json: boolean
}

process.once('message', ({ headers, body, json }: FixedResponse) => {
  const bytes = Buffer.from(body, 'base64')
  const value = json ? JSON.parse(bytes.toString()) : undefined
  const server = createServer((_, response) => {
    const out = json ? Buffer.from(JSON.stringify(value)) : bytes
    response.writeHead(200, { ...headers, 'content-length': out.length }).end(out)
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
})
process.on('disconnect', () => process.exit())
