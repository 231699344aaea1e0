// Updates that a restart of the hub interrupted.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONN_REFUSED } from '../../../contract/codes.ts'
import { DEVICE_UPDATE_STATE } from '../../../contract/rollout.ts'
import { LinkError } from '../../../device-link/link-error.ts'
import { DeviceUpdater } from '../../../hub/firmware/device-update.ts'

const test = suite('resumed update')

test('a device that restarts with the new version, as the hub continues its update, is not sent the file again', async () => {
  let link = 1
  let version = '1.4.225'
  let uploads = 0
  const updater = new DeviceUpdater({
    links: {
      // Its last answer: the next time that the hub looks, the device is offline, and then it is back.
      request() {
        link = 0
        setTimeout(() => {
          link = 2
          version = '1.5.0'
        }, 50)
        return Promise.reject(new LinkError(CONN_REFUSED, 'the device restarts'))
      },
      upload() {
        uploads++
        return Promise.reject(new LinkError(CONN_REFUSED, 'the device restarts'))
      }
    },
    linkIdOf: () => link,
    versionOf: () => version,
    apiOf: () => 'usapi',
    timing: {
      pollInterval: 10,
      offlineGrace: 5000,
      stallTimeout: 5000,
      responseTimeout: 5000,
      reconnectTimeout: 5000,
      installTimeout: 5000,
      restartDelay: 50
    }
  })
  const { signal } = new AbortController()
  const file = { path: '', name: '', size: 1 }
  const task = { sn: 'B1', file, version: '1.5.0', report() {}, signal }
  await updater.resume(task, DEVICE_UPDATE_STATE.installing, '1.4.225', true)
  assert.equal(uploads, 0)
})

test.run()
