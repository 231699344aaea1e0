import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { SUCCESS } from '../../../contract/codes.ts'
import { addDownloadTicket } from '../../../contract/file/download.ts'
import { setupPreview } from '../../../contract/preview.ts'
import { openPictures, withOpenedHub } from '../../kit/cloud/opened-hub.ts'
import { set, untilOnline } from '../../kit/cloud/registered-hub.ts'
import { suite } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suite('downloads and pictures through the relay')

test('a file that the port for files has is downloaded at the origin of the hub, by its ticket alone', () =>
  withOpenedHub(async ({ open, sn }) => {
    const visitor = await open()
    const { result, url } = await visitor.send(addDownloadTicket, { kind: 'log', type: 'operation', format: 'csv' })
    assert.equal(result, SUCCESS)
    // Neither another host nor another port, which the browser could not reach.
    assert.match(url, /^\/api\/file\/get\?ticket=/)
    for (const path of [url, `/socket${url}&client-id=${sn}`]) {
      const { status, headers, text } = await visitor.visit(path)
      assert.equal(status, 200)
      assert.match(String(headers['content-disposition']), /^attachment; filename="operation-log-.*\.csv"$/)
      assert.match(text, /Admin@headend/)
    }
    assert.equal((await visitor.visit(url.replace(/.$/, ''))).status, 404)
  }))

test('the stream of pictures ends with the link, so that the console opens it again, which works', () =>
  withOpenedHub(async ({ admin, hub, open, webPort, sn }) => {
    const visitor = await open()
    const stream = await openPictures(visitor, webPort, sn)
    const register = (response: IncomingMessage) =>
      visitor.send(setupPreview, { id: String(response.headers['handle-id'] ?? ''), add: ['CHANNEL-1'] })
    assert.match(String(stream.headers['content-type']), /^multipart\/x-mixed-replace; .*handle-id=/)
    const closed = once(stream, 'close')
    const { host, port } = hub.parts.cloudLink.settings.stored
    await set(admin, { host, port, enable: false })
    await closed
    await set(admin, { host, port })
    await untilOnline(admin)
    // As the console does, 3 s after the end (test/src/preview/connection.test.ts).
    const again = await until(async () => {
      const response = await openPictures(visitor, webPort, sn)
      if (response.headers['handle-id'] === undefined) return undefined
      return response
    }, 'the stream is open again')
    assert.equal((await register(again)).result, SUCCESS)
    again.destroy()
  }))

test.run()
