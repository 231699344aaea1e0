import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { PICTURE_LIMITS, PictureLimits } from '../../../cloud/relay/picture-limits.ts'
import { SUCCESS, TOO_MANY } from '../../../contract/codes.ts'
import { openPreview } from '../../../contract/preview.ts'
import { watchChannel } from '../../../contract/stream/channel-watch.ts'
import { systemStatus } from '../../../contract/system.ts'
import { openPictures, withOpenedHub } from '../../kit/cloud/opened-hub.ts'
import { suite } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suite('limits of relayed pictures')

const PATHS = [openPreview, watchChannel].map(({ path }) => `/api${path}`)

for (const path of PATHS)
  test(`${path}: a user, a hub and the node have a number of streams each`, () => {
    const limits = new PictureLimits()
    const max = PICTURE_LIMITS[path]
    assert.ok(max)
    const take = (user: string, sn: string) => limits.take(path, { organisation: 'headend', user, sn })
    const release = (place: ReturnType<typeof take>) => {
      assert.ok(typeof place === 'function')
      place()
    }
    const ofUser = Array.from({ length: max.user }, (_, index) => take('Ann', `HUB-${index}`))
    assert.deepEqual(take('Ann', 'HUB-X'), { owner: 'user', max: max.user })
    release(ofUser[0] as never)
    const again = take('Ann', 'HUB-X')
    assert.equal(typeof again, 'function')
    for (const place of [...ofUser.slice(1), again]) release(place as never)

    const ofHub = Array.from({ length: max.hub }, (_, index) => take(`user ${index}`, 'HUB-1'))
    assert.deepEqual(take('Ann', 'HUB-1'), { owner: 'hub', max: max.hub })
    // A hub of another organisation may have the same serial number.
    release(limits.take(path, { organisation: 'other', user: 'Ann', sn: 'HUB-1' }))
    for (const place of ofHub) release(place)

    const ofNode = Array.from({ length: max.node }, (_, index) => take(`user ${index}`, `HUB-${index}`))
    assert.deepEqual(take('Ann', 'HUB-X'), { owner: 'node', max: max.node })
    for (const place of ofNode) release(place)
    assert.equal(typeof take('Ann', 'HUB-X'), 'function')
  })

test('the pictures of one user too many are refused with the reason, and other calls are not', () =>
  withOpenedHub(async ({ cloud, open, webPort, sn }) => {
    const { user: max = 0 } = PICTURE_LIMITS[PATHS[0] ?? ''] ?? {}
    const streams: IncomingMessage[] = []
    // Of one session, a hub has 8 streams open at most.
    for (let count = 0; count < max; count += 8) {
      const visitor = await open(await cloud.signIn())
      for (let each = 0; each < 8; each++) streams.push(await openPictures(visitor, webPort, sn))
    }
    const visitor = await open(await cloud.signIn())
    const ask = async () => visitor.visit(`/socket/api${openPreview.path}?client-id=${sn}`)
    const { result, max: reached, message } = JSON.parse((await ask()).text)
    assert.deepEqual([result, reached], [TOO_MANY, max])
    assert.match(message, /You have pictures or videos of hubs open in 16 places/)
    assert.equal((await visitor.send(systemStatus, {})).result, SUCCESS)
    streams[0]?.destroy()
    const type = async () => {
      const response = await openPictures(visitor, webPort, sn)
      streams.push(response)
      return response.headers['content-type']?.startsWith('multipart/')
    }
    await until(type, 'a place is free')
    for (const response of streams) response.destroy()
  }))

test.run()
